import { type Debate, readDebates } from '@quorate/certificate'
import { TARGETS } from '../../twins/targets.ts'
import { LARGEST_BETA } from '../measure/budgets.ts'
import { meanOf } from '../measure/outcome.ts'
import { sweepBudgets } from '../measure/sweep.ts'
import { measureTwinSplit } from '../measure/twin-split.ts'
import { STATE_VARIANTS } from '../measure/variants.ts'
import { finalError } from '../measure/worlds.ts'
import { MULTIPLES } from '../paper/frontier.ts'
import { printedConfidenceAct } from '../paper/matched.ts'
import { realGroupControlTable } from '../tables/group-control.ts'
import { realTable } from '../tables/real.ts'
import type { RealMeasurements } from '../tasks.ts'
import type { KitBenchmark } from './kit.ts'

export interface RealResultOptions {
  readonly benchmark: KitBenchmark
  readonly seeds: readonly number[]
}

/** The paper's tables on real debates, with its numbers beside them, as Markdown. */
export function realResultText(debates: readonly Debate[], { benchmark, seeds }: RealResultOptions): string {
  const whole = debates.filter((debate) => debate.failure === undefined || debate.failure === null)
  const read = readDebates(whole)
  const sweeps = seeds.map((seed) => sweepBudgets(read, seed))
  const lambdas = sweeps.flatMap(({ lambda }) => lambda.usual ?? [])
  const pooledLambda = lambdas.length === 0 ? null : meanOf(lambdas)
  const error = meanOf(sweeps.map(({ trainError }) => trainError))
  const splits = seeds.map((seed, at) =>
    measureTwinSplit(read, {
      variants: STATE_VARIANTS,
      triesSizes: false,
      seed,
      sweep: sweeps[at]!,
      pooledLambda,
      multiples: MULTIPLES.map((multiple) => Math.min(LARGEST_BETA, multiple * error)),
      printedAct: printedConfidenceAct(benchmark),
    }),
  )
  const { title } = TARGETS[benchmark]
  const failed = debates.length - whole.length
  const world = { name: benchmark, title, like: benchmark, differs: `${whole.length} debates of your own panel` }
  const real: RealMeasurements[] = [{ world, pooledLambda, splits }]
  const measured = { seeds, twins: new Map(), recorded: [], real, prototype: [] }
  const rounds = read.debates[0]?.rounds.length ?? 0
  return `# ${title} with real models

${whole.length} debates of ${rounds} rounds${failed === 0 ? '' : `; ${failed} that failed are left out`}. The last answer is wrong on ${(100 * finalError(read)).toFixed(1)} %. ${seeds.length} random halves,
seeds ${seeds.join(', ')}. A cell reads paper / twin / yours; the twin is not measured here, and a dash is a number that
is not there.

${realTable.text(measured).trim()}

## Group-conditional control

${realGroupControlTable.text(measured).trim()}
`
}
