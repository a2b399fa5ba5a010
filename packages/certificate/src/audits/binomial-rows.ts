import { clopperPearsonInterval, clopperPearsonLower } from '../concentration/clopper-pearson.ts'
import { incompleteBeta, incompleteBetaComplement } from '../special/incomplete-beta.ts'
import type { DraftRow } from './draft-check.ts'

/** Held-out labels of a region that was fixed without them. */
export interface Counted {
  readonly name: string
  readonly n: number
  readonly right: number
}

/**
 * What the theorem lets go: the share of debates whose bound may exceed their chance, among how many.
 *
 * That share is an average over calibration sets. Given the one at hand the bound of a state is too high or it is not,
 * for all debates in that state together: where many share a state, a set that is bad there (with probability at most
 * the share) breaks the null by more than the allowance, so that the formal size is .01 plus the probability of such a
 * set. In practice the allowance is ample even then: a bound that is too high is so by a fraction of its standard
 * error, some hundredths, while the allowance counts a debate above its bound as one that is wrong with certainty.
 */
export interface Allowed {
  readonly failure: number
  readonly among: number
}

/** Chance that an allowance is drawn too small; added to the p-value. */
const ALLOWANCE_LEVEL = 1e-5

/**
 * Null: debates in the region are right with a mean chance of at least promise - failure / P(region).
 *
 * The region is a set of debates fixed beforehand, so its labels are independent draws with that one chance, and the
 * binomial tail is exact. P(region) is not known: its lower confidence limit at 1e-5, which is added to p.
 */
export function promisedRow(counted: Counted, promise: number, { failure, among }: Allowed): DraftRow {
  if (counted.n === 0) return emptyRow(counted.name)
  const share = clopperPearsonLower(counted.n, among, ALLOWANCE_LEVEL)
  return testedRow(counted, promise - failure / share, promise)
}

/**
 * Null: of `among` independent debates each has a bound above its chance with probability at most `failure`.
 *
 * Given the states, labels are independent with chances that differ. All but `allowedCount` of them have a chance of at
 * least their bound (but for 1e-5, added to p), so the mean chance is at least the mean bound less that count over n,
 * and the binomial tail at that mean bounds the tail of the sum (Hoeffding 1956, Theorem 4).
 */
export function boundedRow(counted: Counted, meanBound: number, { failure, among }: Allowed): DraftRow {
  if (counted.n === 0) return emptyRow(counted.name)
  return testedRow(counted, meanBound - allowedCount(among, failure) / counted.n, meanBound)
}

/** The smallest count that Bin(trials, chance) exceeds with probability at most 1e-5. */
export function allowedCount(trials: number, chance: number): number {
  let count = Math.floor(trials * chance)
  while (count < trials && incompleteBeta(chance, count + 1, trials - count) > ALLOWANCE_LEVEL) count++
  return count
}

/**
 * P(at most `right` of n are right) if the mean chance is `line` or more; 1 from n line - 1 on, where Hoeffding's
 * comparison of unequal chances with equal ones ends.
 */
export function lowerTail(right: number, n: number, line: number): number {
  if (!(line > 0) || right > n * line - 1) return 1
  return line >= 1 ? 0 : incompleteBetaComplement(line, right + 1, n - right)
}

/** Standard errors of the count below the line; what regions are picked by, where it need not be exact. */
export function shortfall({ n, right }: Omit<Counted, 'name'>, line: number): number {
  const clamped = Math.min(Math.max(line, 1e-6), 1 - 1e-6)
  return (n * line - right) / Math.sqrt(n * clamped * (1 - clamped))
}

/** What counts as a clear shortfall: one debate in ten fewer right than promised. */
const CLEAR = 0.1

function testedRow({ name, n, right }: Counted, line: number, promise: number): DraftRow {
  const { lower, upper } = clopperPearsonInterval(right, n, 0.95)
  const pValue = (count: number) => Math.min(1, lowerTail(count, n, line) + ALLOWANCE_LEVEL)
  const short = Math.max(0, Math.floor(n * (promise - CLEAR)))
  return {
    name,
    n,
    figure: right / n,
    low: lower,
    high: upper,
    line: Math.max(0, line),
    pValue: pValue(right),
    promise,
    reach: pValue(0),
    tells: pValue(short),
  }
}

function emptyRow(name: string): DraftRow {
  const figures = { figure: null, low: null, high: null, line: null, promise: null }
  return { name, n: 0, ...figures, pValue: null, reach: 1, tells: 1 }
}
