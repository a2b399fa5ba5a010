import { type Budget, betaFor, type ResolvedBudget, type TotalBudget } from '../budget.ts'
import { profileAlphaRule } from '../certificate/alpha-rule.ts'
import type { LocalOptions, Profile } from '../certificate/calibrate.ts'
import { usualPilotShare } from '../certificate/calibrate-total.ts'
import { type Concentration, resolveKnnOptions } from '../knn/knn-options.ts'
import { USUAL_PILOT_FRACTION } from '../knn/split-rows.ts'
import { MOST_OF_ONE_CLASS } from '../scores/round-model.ts'
import { promiseLevels, resolvePromise } from '../total/promise.ts'

export type PlanProfile = Profile

/** A resolved budget with the declared promise, which it lacks by itself. */
type PlannedBudget = ResolvedBudget & Pick<Budget, 'total'>

/** The labels that the arithmetic of the bound alone requires, before anything is known about the panel. */
export interface LabelFloor {
  /**
   * Number of similar labelled debates, all answered right, whose bound reaches the threshold; null if no number does.
   * With fewer counted debates, `total` acts on nothing.
   */
  readonly alike: number | null
  /**
   * Total labels of which that many are counted, after the pilot takes its share and if all debates are alike; null if
   * no number does, or only more than a trillion.
   */
  readonly labels: number | null
  /** No neighbourhood counts more rows than this, unless states tie; null for cells and `total`. */
  readonly largestNeighbourhood: number | null
  /** The smallest beta that a neighbourhood of that size allows if all answers are right; null for cells and `total`. */
  readonly smallestBeta: number | null
}

/**
 * Even a perfect panel needs labels. If all of k rows are right, Clopper-Pearson at a level is level^(1/k), which
 * reaches 1 - alpha from k = log(level) / log(1 - alpha) on. Hoeffding is 1 - sqrt(log(1/level) / (2k)), which does
 * from k = log(1/level) / (2 alpha^2) on. Empirical Bernstein, whose variance is then 0, is
 * 1 - 7 log(2/level) / (3 (k - 1)). The level is the best case of the profile: delta / T for cells and for one distinct
 * neighbourhood, delta / (T |K|) for the paper.
 */
export function labelFloor(
  profile: PlanProfile,
  budget: PlannedBudget,
  rounds: number,
  local: LocalOptions = {},
): LabelFloor {
  if (profile === 'total') {
    const alike = perfectTotal(budget)
    return { alike, labels: withPilot(alike, usualPilotShare), largestNeighbourhood: null, smallestBeta: null }
  }
  if (profile === 'cells') {
    const alike = budget.feasible ? perfectRecord(budget.delta / rounds, budget.alpha) : null
    return { alike, labels: alike && withPilot(alike), largestNeighbourhood: null, smallestBeta: null }
  }
  const { kFamily, looks, ties, concentration } = resolveKnnOptions('plan', profile, local)
  const smallest = kFamily[0]!
  const largest = kFamily.at(-1)!
  const level = (budget.delta - budget.deltaOmega) / (rounds * (looks === 'family' ? kFamily.length : 1))
  const least = perfectShortfall(concentration, level, largest)
  const enough = perfectRows(concentration, level, budget.alpha)
  // If ties are included, as in `tight`, a neighbourhood may have any size from the smallest on. Otherwise it has any
  // size up to the largest, because a size above the number of rows is cut to it.
  const size = ties === 'index' ? Math.ceil(enough) : Math.max(smallest, Math.ceil(enough))
  const alike = budget.feasible && !(ties === 'index' && size > largest) ? size : null
  return {
    alike,
    labels: alike && withPilot(alike),
    largestNeighbourhood: largest,
    smallestBeta: betaFor(least, budget, profileAlphaRule(profile, rounds, local)),
  }
}

/** How far the bound of `count` rows that are all right is below 1. */
function perfectShortfall(concentration: Concentration, level: number, count: number): number {
  if (concentration === 'clopper-pearson') return 1 - level ** (1 / count)
  if (concentration === 'hoeffding') return Math.sqrt(Math.log(1 / level) / (2 * count))
  return count < 2 ? 1 : (7 * Math.log(2 / level)) / (3 * (count - 1))
}

/** The inverse: the number of rows, all right, whose bound reaches 1 - alpha. */
function perfectRows(concentration: Concentration, level: number, alpha: number): number {
  if (concentration === 'clopper-pearson') return perfectRecord(level, alpha)
  if (concentration === 'hoeffding') return Math.log(1 / level) / (2 * alpha ** 2)
  return 1 + (7 * Math.log(2 / level)) / (3 * alpha)
}

function perfectRecord(level: number, alpha: number): number {
  return Math.max(1, Math.ceil(Math.log(level) / Math.log1p(-alpha)))
}

/**
 * With fewer rows, even if all are right, no policy passes the test of the total or no class passes that of its floor.
 * Several policies or classes divide the level of the floor, and several policies that of `selective`, so more may be
 * needed. See also `needsWrongAnswers`.
 */
function perfectTotal({ beta, total }: PlannedBudget): number {
  const promise = resolvePromise('plan', { beta, ...total })
  const levels = promiseLevels(promise)
  // Conformal risk control compares 1 / (rows + 1) with beta, as `testPolicies` does.
  const forTotal =
    promise.kind === 'average' ? Math.max(1, Math.ceil(1 / (beta + 1e-12) - 1)) : perfectRecord(levels.total, beta)
  return promise.floor === null ? forTotal : Math.max(forTotal, perfectRecord(levels.floor, 1 - promise.floor))
}

/**
 * Whether the pilot must have wrong answers too. If all of them are right, every score is `MOST_OF_ONE_CLASS`, and with
 * a higher floor nothing is acted on, whatever the number of labels.
 */
export function needsWrongAnswers(profile: PlanProfile, beta: number, total: TotalBudget = {}): boolean {
  return profile === 'total' && (resolvePromise('plan', { beta, ...total }).floor ?? 0) > MOST_OF_ONE_CLASS
}

/**
 * The smallest number of labels of which `counted` remain when the pilot, rounded down, takes its share; null if it is
 * above `MOST_LABELS`. The share never grows with the labels, so more labels never leave fewer, and bisection is exact.
 */
function withPilot(counted: number, shareOf: (labels: number) => number = () => USUAL_PILOT_FRACTION): number | null {
  const suffice = (labels: number) => labels - Math.floor(labels * shareOf(labels)) >= counted
  if (!suffice(MOST_LABELS)) return null
  let tooFew = 0
  let enough = MOST_LABELS
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2)
    if (suffice(middle)) enough = middle
    else tooFew = middle
  }
  return enough
}

/** Nobody labels a trillion debates, and their number is still exact in floating point. */
const MOST_LABELS = 1e12
