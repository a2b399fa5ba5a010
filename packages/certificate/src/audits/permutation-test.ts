import type { Random } from '../random.ts'
import { type ArrivalOrder, ORDER_NEXT } from './arrival-order.ts'
import type { DraftCheck, DraftRow } from './draft-check.ts'

/** Most permutations. The smallest p-value is 1 / 20,000. */
export const MOST_PERMUTATIONS = 19_999
/** A row is settled once this many permutations reach the statistic of the file's own order. */
const ENOUGH = 20

/**
 * Tests whether the order of the file matters. The largest deviation of a running sum from a straight line is compared
 * with that in random orders. The p-value is valid for exchangeable questions of any distribution (Besag and Clifford
 * 1991).
 */
export function permutationCheck(order: ArrivalOrder, random: Random): DraftCheck {
  return {
    name: 'exchangeability-permutation',
    assumption: 'Questions are independent draws from one population: the order in which they arrived does not matter.',
    null: 'Every order of the file is as likely as the one it has.',
    rows: permutationRows(order, random),
    needed: 'one row',
    empty: 'There are no questions.',
    next: ORDER_NEXT,
  }
}

/** Most blocks that are permuted for a numeric series, and most questions for the mix of groups. */
const MOST_BLOCKS = 512
const MOST_GROUPED = 1024

/** Deviation of the file when its units are in the given order. */
type Statistic = (order: Uint32Array) => number

/** A series of units that are permuted. A unit is a question or a block of consecutive questions. */
interface Series {
  readonly name: string
  readonly statistic: Statistic
  /**
   * The permuted values. If these are labels, `mostVaried` has other labels of the same number with the most distinct
   * orders.
   */
  readonly values: ArrayLike<number>
  readonly mostVaried?: ArrayLike<number>
}

function permutationRows(arrival: ArrivalOrder, random: Random): DraftRow[] {
  const { count, right, agreement, group } = arrival
  // Permuting blocks permutes questions in fewer ways. The test is as valid, and fast even for a million questions.
  const size = Math.ceil(count / MOST_BLOCKS)
  const [rightSums, agreementSums] = [blockSums(right, size), blockSums(agreement, size)]
  const mostVaried = right.map((_, at) => at % 2)
  const sums = [
    { name: 'right in the last round', values: rightSums, mostVaried, statistic: strayingSum(rightSums) },
    { name: 'agreement in round 1', values: agreementSums, statistic: strayingSum(agreementSums) },
  ]
  const every = Math.ceil(count / MOST_GROUPED)
  const some = group?.filter((_, at) => at % every === 0) ?? null
  const mix = some === null ? [] : [{ name: 'mix of groups', values: some, statistic: strayingMix(some) }]
  return [...rowsOf(rightSums.length, sums, count, random), ...rowsOf(some?.length ?? 0, mix, count, random)]
}

function rowsOf(units: number, series: readonly Series[], n: number, random: Random): DraftRow[] {
  const order = Uint32Array.from({ length: units }, (_, index) => index)
  const seen = series.map(({ statistic }) => statistic(order))
  const pValues = besagClifford({
    shuffle: () => shuffle(order, random),
    // Sums of the same numbers in different orders may differ in their last digits.
    reaches: series.map(
      ({ statistic }, at) =>
        () =>
          statistic(order) >= seen[at]! - 1e-9,
    ),
    most: MOST_PERMUTATIONS,
    enough: ENOUGH,
  })
  return series.map(({ name, values, mostVaried }, at) => ({
    name,
    n,
    figure: seen[at]!,
    low: null,
    high: null,
    line: null,
    promise: null,
    pValue: pValues[at]!,
    reach: reachOf(mostVaried ?? values),
    clearPValue: Math.max(reachOf(values), clearChange(units)),
  }))
}

/** The smallest possible p-value: one draw, or one of the distinct orders. */
function reachOf(values: ArrayLike<number>): number {
  const repeats = new Map<number, number>()
  let logOrders = 0
  for (let at = 0; at < values.length; at++) {
    const repeat = (repeats.get(values[at]!) ?? 0) + 1
    repeats.set(values[at]!, repeat)
    logOrders += Math.log((at + 1) / repeat)
  }
  return Math.max(1 / (MOST_PERMUTATIONS + 1), Math.exp(-logOrders))
}

/**
 * Approximate p-value if the two halves differ by half a standard deviation (for example 10 and 30 % wrong answers).
 * The running sum then deviates by sqrt(units) / 8, and 2 exp(-2 x^2) is Kolmogorov's tail.
 */
function clearChange(units: number): number {
  return Math.min(1, 2 * Math.exp(-units / 32))
}

/** Sums of consecutive blocks. Questions that do not fill a last block are left out. */
function blockSums(values: Float64Array, size: number): Float64Array {
  const sums = new Float64Array(Math.floor(values.length / size))
  for (let at = 0; at < sums.length * size; at++) sums[Math.floor(at / size)]! += values[at]!
  return sums
}

export interface Sequential {
  shuffle(): void
  /** Whether the shuffled order deviates at least as far as the observed one; one function per row. */
  readonly reaches: readonly (() => boolean)[]
  readonly most: number
  readonly enough: number
}

/**
 * Sequential Monte Carlo p-values: enough / draws once `enough` draws have reached the observed value, else
 * (reached + 1) / (most + 1). P(p <= x) <= x for every x under the null.
 */
export function besagClifford({ shuffle: draw, reaches, most, enough }: Sequential): number[] {
  const pValues = reaches.map(() => Number.NaN)
  const reached = reaches.map(() => 0)
  for (let drawn = 1; drawn <= most && pValues.some(Number.isNaN); drawn++) {
    draw()
    for (const [row, reach] of reaches.entries()) {
      if (!Number.isNaN(pValues[row]!) || !reach()) continue
      reached[row]!++
      if (reached[row] === enough) pValues[row] = enough / drawn
    }
  }
  return pValues.map((pValue, row) => (Number.isNaN(pValue) ? (reached[row]! + 1) / (most + 1) : pValue))
}

function shuffle(order: Uint32Array, random: Random): void {
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const kept = order[last]!
    order[last] = order[other]!
    order[other] = kept
  }
}

/**
 * Largest deviation of the running sum from a straight line, in standard deviations of the whole; 0 if all values are
 * equal.
 */
function strayingSum(values: Float64Array): Statistic {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const centred = values.map((value) => value - mean)
  const scale = Math.sqrt(centred.reduce((sum, value) => sum + value * value, 0))
  if (!(scale > 1e-9)) return () => 0
  return (order) => {
    let sum = 0
    let furthest = 0
    for (let at = 0; at < order.length; at++) {
      sum += centred[order[at]!]!
      const distance = Math.abs(sum)
      if (distance > furthest) furthest = distance
    }
    return furthest / scale
  }
}

/** The same for the group that deviates most. A group deviates most just before or at one of its own arrivals. */
function strayingMix(group: Uint32Array): Statistic {
  const sizes = new Float64Array(group.reduce((a, b) => Math.max(a, b), 0) + 1)
  for (const number of group) sizes[number]!++
  const shares = sizes.map((size) => size / group.length)
  if (shares.includes(1)) return () => 0
  const scales = shares.map((share) => 1 / Math.sqrt(group.length * share * (1 - share)))
  const arrived = new Float64Array(sizes.length)
  return (order) => {
    arrived.fill(0)
    let furthest = 0
    for (let at = 0; at < order.length; at++) {
      const number = group[order[at]!]!
      const before = at * shares[number]! - arrived[number]!
      arrived[number]!++
      const after = arrived[number]! - (at + 1) * shares[number]!
      const distance = (before > after ? before : after) * scales[number]!
      if (distance > furthest) furthest = distance
    }
    return furthest
  }
}
