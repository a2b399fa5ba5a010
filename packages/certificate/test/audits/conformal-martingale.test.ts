import { describe, expect, test } from 'vitest'
import { conformalRanks, largestCapital, martingaleCheck } from '../../src/audits/conformal-martingale.ts'
import { seededRandom } from '../../src/random.ts'

/** The definition, one value at a time. */
function slowRanks(values: Float64Array, draws: readonly number[]): number[] {
  return Array.from(values, (value, at) => {
    const sofar = Array.from(values.subarray(0, at + 1))
    const larger = sofar.filter((other) => other > value).length
    const equal = sofar.filter((other) => other === value).length
    return (larger + draws[at]! * equal) / (at + 1)
  })
}

test('ranks are those of the definition', () => {
  const random = seededRandom(4)
  const values = Float64Array.from({ length: 300 }, () => Math.floor(12 * random()) / 12)
  const draws = Array.from({ length: 300 }, random)
  let next = 0
  const ranks = conformalRanks(values, () => draws[next++]!)
  for (const [at, rank] of slowRanks(values, draws).entries()) expect(ranks[at]).toBeCloseTo(rank, 14)
})

describe('capital', () => {
  test('is a test martingale: it ever reaches 1 / x with probability at most x', () => {
    const random = seededRandom(8)
    const capitals = Array.from({ length: 1500 }, () => {
      const values = Float64Array.from({ length: 250 }, () => (random() < 0.8 ? 1 : 0))
      return largestCapital(conformalRanks(values, random))
    })
    for (const x of [0.02, 0.05, 0.1, 0.2, 0.5]) {
      const share = capitals.filter((capital) => 1 / capital <= x).length / capitals.length
      expect(share).toBeLessThan(x + 3.5 * Math.sqrt((x * (1 - x)) / capitals.length))
    }
  })

  test('has expectation 1 after one bet, whatever the rank: it is 1 at a half and symmetric around it', () => {
    const after = (rank: number) => largestCapital(Float64Array.of(rank))
    expect(after(0.5)).toBe(1)
    // Bets on both sides have the same stake, so one question wins nothing.
    expect(after(0.9)).toBeCloseTo(1, 12)
  })

  test('grows without limit under a drift', () => {
    const random = seededRandom(2)
    const values = Float64Array.from({ length: 4000 }, (_, at) => (random() < 0.95 - (0.4 * at) / 4000 ? 1 : 0))
    expect(largestCapital(conformalRanks(values, random))).toBeGreaterThan(1e4)
  })

  test('stops counting where nothing is left to prove', () => {
    expect(largestCapital(new Float64Array(5000).fill(0.999))).toBe(1e12)
  })
})

test('the check reports 1 / largest capital', () => {
  const random = seededRandom(6)
  const right = Float64Array.from({ length: 100 }, () => (random() < 0.5 ? 1 : 0))
  const { rows } = martingaleCheck({ count: 100, right, agreement: right, group: null }, random)
  for (const { figure, pValue } of rows) expect(pValue).toBe(1 / figure!)
})

test('reaches no further than bets on a handful of questions can win', () => {
  const reachOf = (count: number) => {
    const values = Float64Array.from({ length: count }, (_, at) => at % 2)
    return martingaleCheck({ count, right: values, agreement: values, group: null }, seededRandom(1)).rows[0]!
  }
  expect(reachOf(4).reach).toBeGreaterThan(1.5 ** -4)
  expect(reachOf(12).reach).toBeGreaterThan(0.01)
  expect(reachOf(20)).toMatchObject({
    reach: expect.closeTo(0.0014, 4),
    clearPValue: expect.closeTo(Math.exp(-0.2), 12),
  })
  expect(reachOf(2000).reach).toBe(1e-12)
})
