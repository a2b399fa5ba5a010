import type { Random } from '../random.ts'
import { type ArrivalOrder, ORDER_NEXT } from './arrival-order.ts'
import type { DraftCheck, DraftRow } from './draft-check.ts'

/**
 * Tests whether a bettor could have won money by betting that the next question differs from those before. If questions
 * are exchangeable, the capital is a nonnegative martingale that starts at 1, so it ever reaches C with probability at
 * most 1 / C (Ville 1939).
 */
export function martingaleCheck({ count, right, agreement }: ArrivalOrder, random: Random): DraftCheck {
  const reach = 1 / largestCapital(new Float64Array(count).fill(1))
  const rows = [
    { name: 'right in the last round', values: right },
    { name: 'agreement in round 1', values: agreement },
  ].map(({ name, values }): DraftRow => {
    const capital = largestCapital(conformalRanks(values, random))
    const figures = { figure: capital, low: null, high: null, line: null, promise: null }
    return { name, n: count, ...figures, pValue: 1 / capital, reach, clearPValue: Math.max(reach, clearChange(count)) }
  })
  return {
    name: 'exchangeability-martingale',
    assumption: 'Questions are independent draws from one population, at every moment of the stream.',
    null: 'Each question is as likely as any other to be the strangest so far: bets on its rank win nothing.',
    rows,
    needed: 'one row',
    empty: 'There are no questions.',
    next: ORDER_NEXT,
  }
}

/**
 * Approximates 1 / the capital won on two halves that differ by half a standard deviation. Measured: the median capital
 * grows by a factor of e per 50 questions if values hardly repeat, and per 140 questions if they are 0 or 1.
 */
function clearChange(count: number): number {
  return Math.exp(-count / 100)
}

/**
 * Rank of each value among the values so far: the share that is larger, plus a uniformly drawn part of the share that
 * is equal (the value itself included). If the values are exchangeable, the ranks are independent and uniform in [0, 1)
 * (Vovk, Gammerman and Shafer 2005).
 */
export function conformalRanks(values: Float64Array, random: Random): Float64Array {
  const distinct = [...new Set(values)].sort((a, b) => a - b)
  const placeOf = new Map(distinct.map((value, place) => [value, place]))
  const seen = countTree(distinct.length)
  return values.map((value, at) => {
    const place = placeOf.get(value)!
    seen.add(place)
    const atOrBelow = seen.upTo(place)
    const equal = atOrBelow - seen.upTo(place - 1)
    return (at + 1 - atOrBelow + random() * equal) / (at + 1)
  })
}

/**
 * Probability that the bettor of each strategy jumps to a bet drawn at random. The capital is spread evenly over the
 * strategies.
 */
const RESTLESSNESS = [1e-4, 1e-3, 1e-2, 1e-1, 1]
const BETS = [-1, 0, 1]
/** Beyond this the test is settled, and the product may overflow. */
export const ENOUGH_CAPITAL = 1e12

/** Money on each bet, one row for each strategy. */
export type Stakes = readonly (readonly number[])[]

export const FULL_STAKES: Stakes = Object.freeze(RESTLESSNESS.map(() => Object.freeze(BETS.map(() => 1 / BETS.length))))

/**
 * The largest capital of the simple jumper (Vovk et al. 2021), which bets 1 + e (rank - 1/2) with e in {-1, 0, 1} and
 * jumps between these bets.
 */
export function largestCapital(ranks: Float64Array): number {
  const stakes = FULL_STAKES.map((stake) => [...stake])
  let largest = 1
  for (const rank of ranks) {
    largest = Math.max(largest, betOnRank(stakes, rank))
    if (largest >= ENOUGH_CAPITAL) return ENOUGH_CAPITAL
  }
  return largest
}

/** Plays one bet with each strategy, in place, and returns the capital after it. */
export function betOnRank(stakes: readonly number[][], rank: number): number {
  let capital = 0
  for (const [strategy, stake] of stakes.entries()) {
    const jump = RESTLESSNESS[strategy]!
    const total = stake.reduce((sum, money) => sum + money, 0)
    for (const [at, bet] of BETS.entries()) {
      stake[at] = ((1 - jump) * stake[at]! + (jump * total) / BETS.length) * (1 + bet * (rank - 0.5))
      capital += stake[at]!
    }
  }
  return capital / stakes.length
}

/** Counts over places 0..size-1 with sums from the left in logarithmic time (Fenwick 1994). */
function countTree(size: number) {
  const sums = new Uint32Array(size + 1)
  return {
    add(place: number): void {
      for (let at = place + 1; at <= size; at += at & -at) sums[at]!++
    },
    upTo(place: number): number {
      let sum = 0
      for (let at = place + 1; at > 0; at -= at & -at) sum += sums[at]!
      return sum
    },
  }
}
