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
 * What the theorem allows to fail: a share `failure` of `among` debates may have a bound above their chance of being
 * right.
 *
 * That share is an average over calibration sets. Given one calibration set, the bound of a state is either too high or
 * not, for all debates in that state together. If many debates share a state, a set that is bad there (which has
 * probability at most the share) breaks the null by more than the allowance. The formal size is therefore .01 plus the
 * probability of such a set. In practice the allowance is ample even then: a bound that is too high usually exceeds the
 * chance by a fraction of its standard error, a few hundredths, while the allowance counts each debate above its bound
 * as certainly wrong.
 */
export interface Allowed {
  readonly failure: number
  readonly among: number
}

/** Probability that an allowance is too small. It is added to the p-value. */
const ALLOWANCE_LEVEL = 1e-5

/**
 * Null: debates in the region are right with a mean chance of at least promise - failure / P(region).
 *
 * The region is a set of debates that is fixed beforehand, so its labels are independent draws with one common chance,
 * and the binomial tail is exact. P(region) is unknown, so its lower confidence limit at level 1e-5 takes its place,
 * and 1e-5 is added to p.
 */
export function promisedRow(counted: Counted, promise: number, { failure, among }: Allowed): DraftRow {
  if (counted.n === 0) return emptyRow(counted.name)
  const share = clopperPearsonLower(counted.n, among, ALLOWANCE_LEVEL)
  return testedRow(counted, promise - failure / share, promise)
}

/**
 * Null: each of `among` independent debates has a bound above its chance with probability at most `failure`.
 *
 * Given the states, the labels are independent and their chances may differ. With probability at least 1 - 1e-5 (the
 * rest is added to p), all but `allowedCount` of the debates have a chance of at least their bound. The mean chance is
 * then at least the mean bound less that count over n, and the binomial tail at that mean bounds the tail of the sum
 * (Hoeffding 1956, Theorem 4).
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
 * Upper bound on P(at most `right` of n are right) if the mean chance is at least `line`. It is 1 where `right` exceeds
 * n line - 1: there Hoeffding's comparison of unequal chances with equal ones no longer holds.
 */
export function lowerTail(right: number, n: number, line: number): number {
  if (!(line > 0) || right > n * line - 1) return 1
  return line >= 1 ? 0 : incompleteBetaComplement(line, right + 1, n - right)
}

/** How far the count lies below the line, in standard errors. It only ranks candidate regions, so it need not be exact. */
export function shortfall({ n, right }: Omit<Counted, 'name'>, line: number): number {
  const clamped = Math.min(Math.max(line, 1e-6), 1 - 1e-6)
  return (n * line - right) / Math.sqrt(n * clamped * (1 - clamped))
}

/** A clear shortfall: one debate in ten fewer is right than promised. */
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
    clearPValue: pValue(short),
  }
}

function emptyRow(name: string): DraftRow {
  const figures = { figure: null, low: null, high: null, line: null, promise: null }
  return { name, n: 0, ...figures, pValue: null, reach: 1, clearPValue: 1 }
}
