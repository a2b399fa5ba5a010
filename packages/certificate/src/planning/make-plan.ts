import { type Budget, type ResolvedBudget, resolveBudget } from '../budget.ts'
import { labelsOf, type Panels } from '../certificate/panel.ts'
import { CertificateError } from '../certificate-error.ts'
import { choice } from '../choice.ts'
import { rateInterval } from '../evaluation/figures.ts'
import { halves } from '../evaluation/halves.ts'
import type { Protocol } from '../evaluation/tally.ts'
import { countsOf } from '../evaluation/tally-figures.ts'
import { type CurveFits, estimate, fitCurve } from './curve-fits.ts'
import { labelFloor, type PlanProfile } from './label-floor.ts'
import { labelsMissing, lastDoubling } from './labels-outlook.ts'
import { curveSizes, type SplitTrials, trySplit } from './learning-curve.ts'
import { milestones } from './milestones.ts'
import { operatingFigures } from './operating-figures.ts'
import { otherSplit } from './other-split.ts'
import type { CurvePoint, FinalRound, Plan } from './plan.ts'
import { valueAt } from './root-decay.ts'
import { isActing } from './smallest-alpha.ts'
import { spread, withReserve } from './spread.ts'
import { actOf, type TrialOptions } from './trial.ts'

export interface PlanOptions {
  readonly profile: PlanProfile
  readonly budget: Budget
  /** One per split, at least three: fewer have no spread. */
  readonly seeds: readonly number[]
  /** Default: debate. */
  readonly protocol?: Protocol
  /** Key of the question that a debate is a run of; default: its id. */
  readonly questionOf?: (id: string) => string
  /** Told before each fit how many of how many are done. */
  readonly progress?: (done: number, of: number) => void
}

/** What these labelled debates allow under a budget, what is missing, and how many labels would bring it. */
export function plan(panels: Panels, options: PlanOptions): Plan {
  const profile = choice('plan', 'profile', options.profile, ['cells', 'tight', 'paper'])
  // Cells use no epsilon: it stays in alpha.
  const declared = profile === 'cells' ? { ...options.budget, epsilon: 0 } : options.budget
  const budget = resolveBudget('plan', declared)
  const seeds = checkedSeeds(options.seeds)
  const finalRound = finalRoundOf(panels, budget)
  const rounds = panels.panels[0]!.rounds.length
  const { splits, calibration, heldOut } = trySplits(panels, { ...options, profile, budget, seeds })
  const whole = splits.map((trials) => trials.at(-1))
  const acting = whole.filter((trial) => trial?.tally && isActing(countsOf(trial.tally))).length
  const feasible = acting > 0 && acting >= seeds.length / 2
  const floor = labelFloor(profile, budget, rounds)
  const fits = fitCurve(splits, seeds[0]!)
  const reached = spread(whole.map((trial) => trial?.smallestAlpha ?? null))
  const other = feasible ? null : otherSplit(splits, budget, reached)
  const n = panels.panels.length
  return {
    profile,
    n,
    calibration,
    heldOut,
    rounds,
    seeds,
    budget,
    feasible,
    actingSplits: acting,
    finalRound,
    floor,
    atBeta: operatingFigures(whole.flatMap((trial) => trial?.tally ?? [])),
    smallestBeta: withReserve(reached, budget),
    smallestBetaOfAll: expectedOfAll(fits, budget, n),
    otherSplit: other,
    curve: curvePoints(splits, budget),
    labels: feasible
      ? { kind: 'enough', lastDoubling: lastDoubling(splits) }
      : labelsMissing({ n, calibration, budget, floor, fits }),
    milestones: feasible ? [] : milestones(splits, { profile, budget, rounds, n, calibration, seed: seeds[0]! }, other),
  }
}

const FEWEST_SPLITS = 3

function checkedSeeds(seeds: readonly number[]): readonly number[] {
  if (Array.isArray(seeds) && seeds.length >= FEWEST_SPLITS) return [...seeds]
  throw new CertificateError('plan', 'seeds', `at least ${FEWEST_SPLITS} seeds, one for each split`, seeds)
}

function finalRoundOf({ panels }: Panels, budget: ResolvedBudget): FinalRound {
  if (panels.length === 0) throw new CertificateError('plan', 'panels', 'at least one labelled debate', panels)
  const wrong = panels.filter((panel, row) => labelsOf(panel, 'plan', `panels[${row}]`).at(-1) === 0).length
  const error = wrong / panels.length
  const { low, high } = rateInterval(error, panels.length)
  return { error, low: low!, high: high!, meetsBudget: error <= budget.beta }
}

type SplitTask = Omit<TrialOptions, 'seed' | 'protocol'> & Pick<PlanOptions, 'seeds' | 'protocol' | 'progress'>

/** A seed is one split. Questions with several runs make halves uneven: what is compared is as long as the shortest. */
function trySplits(panels: Panels, { seeds, progress, protocol = 'debate', ...task }: SplitTask) {
  const questions = panels.panels.map(({ record }) => task.questionOf?.(record.id) ?? record.id)
  const parts = seeds.map((seed) => halves(questions, seed))
  const calibration = Math.min(...parts.map(({ train }) => train.length))
  const sizes = curveSizes(calibration)
  let done = 0
  const tell = () => progress?.(done++, seeds.length * sizes.length)
  const splits = parts.map(
    (part, at): SplitTrials =>
      trySplit(panels, part, {
        profile: task.profile,
        budget: task.budget,
        seed: seeds[at]!,
        protocol,
        sizes,
        progress: tell,
        ...(task.questionOf && { questionOf: task.questionOf }),
      }),
  )
  const heldOut = Math.round(parts.reduce((sum, { test }) => sum + test.length, 0) / parts.length)
  return { splits, calibration, heldOut }
}

function expectedOfAll(fits: CurveFits | null, { delta, epsilon }: ResolvedBudget, n: number) {
  return fits && estimate(fits, (fit) => delta + epsilon + valueAt(fit, n))
}

function curvePoints(splits: readonly SplitTrials[], budget: ResolvedBudget): CurvePoint[] {
  return (splits[0] ?? []).map(({ labels }, at) => {
    const trials = splits.map((split) => split[at]!)
    return {
      labels,
      smallestBeta: withReserve(spread(trials.map((trial) => trial.smallestAlpha)), budget),
      act: spread(trials.map(actOf)),
    }
  })
}
