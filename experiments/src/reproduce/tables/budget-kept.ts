import { clopperPearsonInterval } from '@quorate/certificate'
import { decimal, markdownTable, percent } from '../../tables/markdown.ts'
import { TWIN_NAMES } from '../../twins/targets.ts'
import { FIVE_BUDGETS } from '../measure/budgets.ts'
import { sumOf } from '../measure/outcome.ts'
import type { PolicyCells } from '../measure/policy-cells.ts'
import type { Measurements } from '../tasks.ts'
import { fiveBudgetPoint } from './recorded.ts'
import { measuredTwins, type Table } from './table.ts'

/**
 * Policies that promise a WA of at most beta: `cells`, `tight` and `paper` on average over calibration sets, `total` and
 * learn-then-test with confidence.
 */
const OURS = ['total', 'cells', 'tight', 'paper', 'learn-then-test'] as const

/** One policy on one world at one budget. */
interface Kept {
  readonly world: string
  readonly policy: (typeof OURS)[number]
  readonly beta: number
  readonly act: number
  /** Splits that acted. */
  readonly acting: number
  readonly splits: number
  /** Largest share of the budget used in any split. */
  readonly worst: number
  /** Questions acted on and wrong in that split. */
  readonly wrong: number
  /** Test questions of that split. */
  readonly debates: number
}

export const budgetKeptTable: Table = {
  number: null,
  name: 'budget-kept',
  title: 'Budget used in every split by every policy that promises to keep it',
  text(measured) {
    const all = keptIn(measured)
    if (all.length === 0) return 'Nothing was measured.'
    const exceptions = all.filter(({ worst }) => worst > 1)
    const silent = all.filter(({ acting }) => acting === 0)
    const worst = all.reduce((a, b) => (b.worst > a.worst ? b : a))
    const runs = all.reduce((sum, { splits }) => sum + splits, 0)
    const actingRuns = all.reduce((sum, { acting }) => sum + acting, 0)
    return `${all.length} combinations of world, policy and budget over ${measured.seeds.length} splits: ${runs} runs, of which ${actingRuns} act and ${runs - actingRuns} never do and are *no evidence*.
Largest share of the budget used in any split: ${decimal(worst.worst)} (${worst.policy} on ${worst.world} at ${decimal(worst.beta)}).

Budget exceeded in some split: ${exceptions.length === 0 ? 'nowhere' : exceptions.map(excessOf).join('; ')}.
${exceptions.length === 0 ? '' : `A promise is about the rate of wrong actions, of which a test half is a sample. The rate is above beta beyond chance (lower end of the 95 % interval) in ${exceptions.filter(isBeyondChance).length} of these.\n`}
Worst split by world (Act % in the mean; – where no split acts):

${markdownTable(['world', 'policy', ...FIVE_BUDGETS.map(({ beta }) => `beta ${decimal(beta)}`)], rowsOf(all))}

No evidence, because no split acts (${silent.length} of ${all.length}): ${grouped(silent)}.`
  },
}

export function keptIn(measured: Measurements): Kept[] {
  const worlds = [
    ...measuredTwins(measured, TWIN_NAMES).map(({ title, twin }) => ({ world: `${title} twin`, splits: twin.splits })),
    ...measured.recorded.map(({ name, splits }) => ({ world: name, splits })),
    ...measured.real
      .filter(({ world }) => !measured.recorded.some(({ name }) => name === world.name))
      .map(({ world, splits }) => ({ world: world.name, splits })),
  ]
  return worlds.flatMap(({ world, splits }) => {
    const ran = OURS.filter((policy) => splits[0]!.policies.some(({ name }) => name === policy))
    return ran.flatMap((policy) => FIVE_BUDGETS.map((_, place) => keptAt(world, splits, { policy, place })))
  })
}

type Splits = readonly { readonly rounds: number; readonly policies: readonly PolicyCells[] }[]

function keptAt(
  world: string,
  splits: Splits,
  { policy, place }: { readonly policy: (typeof OURS)[number]; readonly place: number },
): Kept {
  const { beta } = FIVE_BUDGETS[place]!
  const point = fiveBudgetPoint(splits, policy, place)
  const found = { world, policy, beta, splits: splits.length }
  if (typeof point === 'string') return { ...found, act: 0, acting: 0, worst: 0, wrong: 0, debates: 0 }
  const halves = splits.flatMap(({ policies }) => {
    const ran = policies.find(({ name }) => name === policy)
    if (ran?.kind !== 'ran') return []
    const { debates, acted, right } = ran.five[place]!.outcome
    return { debates, wrong: sumOf(acted) - sumOf(right) }
  })
  const worst = halves.reduce((a, b) => (b.wrong * a.debates > a.wrong * b.debates ? b : a))
  return { ...found, act: point.act.mean, acting: point.acting, worst: point.budgetUsed.max, ...worst }
}

function rowsOf(all: readonly Kept[]): string[][] {
  const worlds = [...new Set(all.map(({ world }) => world))]
  return worlds.flatMap((world) =>
    OURS.flatMap((policy) => {
      const own = all.filter((kept) => kept.world === world && kept.policy === policy)
      if (own.length === 0) return []
      const row = [
        world,
        policy,
        ...own.map(({ act, acting, worst }) => (acting === 0 ? '–' : `${decimal(worst)} (${percent(act)})`)),
      ]
      return [row]
    }),
  )
}

/** `tight on ARC twin at .05, .10; ...`. */
function grouped(all: readonly Kept[]): string {
  const budgets = new Map<string, string[]>()
  for (const { policy, world, beta } of all) {
    const name = `${policy} on ${world}`
    budgets.set(name, [...(budgets.get(name) ?? []), decimal(beta)])
  }
  return [...budgets].map(([name, betas]) => `${name} at ${betas.join(', ')}`).join('; ')
}

function excessOf(kept: Kept): string {
  const { policy, world, beta, wrong, debates } = kept
  const { lower, upper } = intervalOf(kept)
  return `${policy} on ${world} at ${decimal(beta)} (${wrong} of ${debates} questions, 95 % interval ${percent(lower)} to ${percent(upper)} %)`
}

function isBeyondChance(kept: Kept): boolean {
  return intervalOf(kept).lower > kept.beta
}

function intervalOf({ wrong, debates }: Kept) {
  return clopperPearsonInterval(wrong, debates, 0.95)
}
