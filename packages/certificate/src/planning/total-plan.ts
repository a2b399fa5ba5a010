import { type Budget, decimal, type TotalBudget } from '../budget.ts'
import type { Figure } from '../evaluation/evaluation.ts'
import { countsOf, rateFigures } from '../evaluation/tally-figures.ts'
import { kindName } from '../kinds/kind.ts'
import { type FailedTest, kindsOf } from '../total/outlook.ts'
import type { TotalPromise } from '../total/promise.ts'
import { bindingDial, looserDials } from './dials.ts'
import type { SizeTrials } from './learning-curve.ts'
import type { Spread } from './plan.ts'
import { type DecayPoint, fitRootDecay, valueAt } from './root-decay.ts'
import { spread } from './spread.ts'
import { actOf, type Trial } from './trial.ts'

/**
 * The two dials of the profile `total`, beta and the floor, on held-out halves. The figures use all labels of the file,
 * so a beta or a floor that is chosen by looking at them is a further attempt on these labels.
 */
export interface TotalPlan {
  /** The declared promise, with the default floor if none was declared. */
  readonly promise: TotalPromise
  /** Whether the floor follows beta because none was declared. */
  readonly isFloorUsual: boolean
  /** The dial that limits actions; `neither` if loosening either of them adds less than one percentage point. */
  readonly binds: 'beta' | 'floor' | 'both' | 'neither'
  /** Beta 1.5 times as large, and the floor .10 lower, which determine `binds`. Null if there is no floor. */
  readonly looser: { readonly beta: PlannedDial; readonly floor: PlannedDial | null }
  /** Share acted on by beta, at the declared floor, smallest beta first. */
  readonly byBeta: readonly PlannedDial[]
  /** Share acted on by floor, at the declared beta, highest floor first and none last; empty if no floor is possible. */
  readonly byFloor: readonly PlannedDial[]
  /** Tests that the certificates of the splits failed at the declared promise, most frequent first. */
  readonly failed: readonly SplitFailure[]
  /** The share acted on if the same labels were used for a further attempt, which is tested at a smaller delta. */
  readonly nextAttempt: { readonly attempt: number; readonly act: Figure }
  /** The effect of more labels by the learning curve; null with fewer than three sizes. */
  readonly moreLabels: MoreLabels | null
}

export interface PlannedDial {
  readonly beta: number
  /** Null if there is none. */
  readonly floor: number | null
  readonly act: Figure
  readonly wrongActions: Figure
}

export interface SplitFailure {
  readonly test: FailedTest['test']
  /** The largest kind of the class that failed; null for the total. */
  readonly largestKind: string | null
  /** Splits in which it failed. */
  readonly splits: number
  /** Counted rows, and the wrong ones among them, summed over these splits. */
  readonly rows: number
  readonly wrong: number
  /** The rate that was tested: beta, or 1 - floor. */
  readonly limit: number
  /** Labels beyond those of a half that would let it pass at its rates; null if in most splits no number would. */
  readonly labels: Spread | null
}

export interface MoreLabels {
  readonly added: number
  /** Share acted on with all labels, and with `added` more, extrapolated from the curve and not tested. */
  readonly now: number
  readonly withMore: number
}

export interface TotalPlanInput {
  /** Certificates of all splits, fewest labels first. */
  readonly sizes: readonly SizeTrials[]
  readonly promise: TotalPromise
  readonly n: number
  readonly isFloorUsual: boolean
}

const ROUND_BETAS = [0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5]
const ROUND_FLOORS = [0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.6, 0.5]
/** Betas from a fifth of the declared one to four times it are shown. */
const SMALLEST_SHARE = 0.2
const LARGEST_SHARE = 4
const ADDED_LABELS = 120
const FEWEST_SIZES = 3

/** Null if there are too few labels for any trial. */
export function totalPlan({ sizes, promise, n, isFloorUsual }: TotalPlanInput): TotalPlan | null {
  const trials = sizes.at(-1)?.trials ?? []
  if (trials.length === 0) return null
  const { beta, floor, kind } = promise
  const at = (asked: Partial<TotalPromise>) => dialPoint(trials, { ...promise, ...asked })
  const declared = at({})
  const loosened = looserDials(promise)
  const looser = { beta: at(loosened.beta), floor: loosened.floor === null ? null : at(loosened.floor) }
  const attempt = promise.attempt + 1
  return {
    promise,
    isFloorUsual,
    binds: bindingDial(declared.act.mean, {
      beta: looser.beta.act.mean,
      floor: looser.floor === null ? null : looser.floor.act.mean,
    }),
    looser,
    byBeta: betasAround(beta).map((other) => (other === beta ? declared : at({ beta: other }))),
    byFloor: kind === 'selective' ? [] : floorsAround(floor).map((other) => at({ floor: other })),
    failed: failuresOf(trials, promise),
    nextAttempt: { attempt, act: at({ attempt }).act },
    moreLabels: moreLabels(sizes, n),
  }
}

function dialPoint(trials: readonly Trial[], promise: TotalPromise): PlannedDial {
  const { act, wrongActions } = rateFigures(trials.map((trial) => countsOf(trial.tallyAt(budgetOf(promise)))))
  return { beta: promise.beta, floor: promise.floor, act, wrongActions }
}

function budgetOf({ beta, kind, delta, floor, attempt }: TotalPromise): Budget {
  const total: TotalBudget = { kind, delta, floor: floor ?? 'none', attempt }
  return { beta, delta, epsilon: 0, total }
}

function betasAround(beta: number): number[] {
  const [low, high] = [decimal(SMALLEST_SHARE * beta), decimal(LARGEST_SHARE * beta)]
  const near = ROUND_BETAS.filter((other) => other >= low && other <= high)
  return [...new Set([...near, beta])].sort((a, b) => a - b)
}

function floorsAround(floor: number | null): (number | null)[] {
  const floors = [...new Set([...ROUND_FLOORS, ...(floor === null ? [] : [floor])])].sort((a, b) => b - a)
  return [...floors, null]
}

/** Classes are made anew in every split, so those with the same largest kind count as one. */
function failuresOf(trials: readonly Trial[], promise: TotalPromise): SplitFailure[] {
  const found = new Map<string | null, FailedTest[]>()
  const add = (largestKind: string | null, test: FailedTest) =>
    found.set(largestKind, [...(found.get(largestKind) ?? []), test])
  for (const trial of trials) {
    const failed = trial.failedAt(budgetOf(promise))
    if (failed === null) continue
    // If the total fails, the classes of the strictest policy do not matter.
    if (failed.total !== null) add(null, failed.total)
    else for (const { count, failed: test } of failed.classes) add(kindName(kindsOf(count)[0]!), test)
  }
  return [...found]
    .map(([largestKind, tests]) => ({
      test: tests[0]!.test,
      largestKind,
      splits: tests.length,
      rows: tests.reduce((sum, { rows }) => sum + rows, 0),
      wrong: tests.reduce((sum, { wrong }) => sum + wrong, 0),
      limit: tests[0]!.limit,
      labels: spread(tests.map(({ labels }) => labels)),
    }))
    .sort((a, b) => b.splits - a.splits || b.rows - a.rows)
}

/** Fits the share that is not acted on, which shrinks towards a limit as labels grow, like sampling error. */
function moreLabels(sizes: readonly SizeTrials[], n: number): MoreLabels | null {
  const points = sizes.flatMap(({ labels, trials }): DecayPoint[] => {
    const acts = trials.flatMap((trial) => actOf(trial) ?? [])
    if (acts.length === 0) return []
    return [{ labels, value: 1 - acts.reduce((sum, act) => sum + act, 0) / acts.length }]
  })
  if (points.length < FEWEST_SIZES) return null
  const fit = fitRootDecay(points)
  const actAt = (labels: number) => Math.max(0, 1 - valueAt(fit, labels))
  return { added: ADDED_LABELS, now: actAt(n), withMore: actAt(n + ADDED_LABELS) }
}
