import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import type { ArrivalOrder } from '../../src/audits/arrival-order.ts'
import { besagClifford, permutationCheck } from '../../src/audits/permutation-test.ts'
import { seededRandom } from '../../src/random.ts'

const none = () => undefined

describe('sequential Monte Carlo p-values', () => {
  test('stop at enough draws that go as far: 3 of 3 are p = 1', () => {
    expect(besagClifford({ shuffle: none, reaches: [() => true], most: 99, enough: 3 })).toEqual([1])
  })

  test('count one more than were reached when the draws run out', () => {
    expect(besagClifford({ shuffle: none, reaches: [() => false], most: 99, enough: 3 })).toEqual([0.01])
  })

  test('each row stops for itself', () => {
    let drawn = 0
    const shuffle = () => void drawn++
    const reaches = [() => true, () => drawn % 10 === 0, () => false]
    expect(besagClifford({ shuffle, reaches, most: 99, enough: 3 })).toEqual([1, 3 / 30, 0.01])
  })

  test('are at most x with probability at most x', () => {
    const random = seededRandom(5)
    const pValues = Array.from({ length: 4000 }, () => {
      const seen = random()
      return besagClifford({ shuffle: none, reaches: [() => random() >= seen], most: 199, enough: 10 })[0]!
    })
    for (const x of [0.005, 0.01, 0.05, 0.2, 0.5]) {
      const share = pValues.filter((p) => p <= x).length / pValues.length
      expect(share).toBeLessThan(x + 3.5 * Math.sqrt((x * (1 - x)) / pValues.length))
    }
  })
})

function stream(count: number, seed: number, drift: number): ArrivalOrder {
  const random = seededRandom(seed)
  const share = (at: number) => at / count
  return {
    count,
    right: Float64Array.from({ length: count }, (_, at) => (random() < 0.9 - drift * share(at) ? 1 : 0)),
    agreement: Float64Array.from({ length: count }, () => Math.round(20 * random()) / 20),
    group: Uint32Array.from({ length: count }, (_, at) => (random() < 0.5 + drift * share(at) ? 0 : 1)),
  }
}

describe('the check', () => {
  test('has p-values that are super-uniform for independent questions', () => {
    const rows = Array.from(
      { length: 300 },
      (_, seed) => permutationCheck(stream(80, seed, 0), seededRandom(seed)).rows,
    )
    for (const series of [0, 1, 2]) {
      const pValues = rows.map((found) => found[series]!.pValue!)
      for (const x of [0.05, 0.2, 0.5]) {
        const share = pValues.filter((p) => p <= x).length / pValues.length
        expect(share).toBeLessThan(x + 3.5 * Math.sqrt((x * (1 - x)) / pValues.length))
      }
    }
  })

  test('sees a drift, in what drifts and nowhere else', () => {
    const { rows } = permutationCheck(stream(3000, 3, 0.3), seededRandom(1))
    const [right, agreement, mix] = rows.map(({ pValue }) => pValue!)
    expect(right).toBe(1 / 20_000)
    expect(mix).toBe(1 / 20_000)
    expect(agreement).toBeGreaterThan(0.01)
  })

  test('finds nothing in what does not vary, and has no row for groups where there are none', () => {
    const constant = { ...stream(50, 1, 0), right: new Float64Array(50).fill(1), group: null }
    const [right, agreement, ...others] = permutationCheck(constant, seededRandom(1)).rows
    expect(right).toMatchObject({ name: 'right in the last round', figure: 0, pValue: 1, clearPValue: 1 })
    expect(agreement!.name).toBe('agreement in round 1')
    expect(others).toEqual([])
  })

  test('reaches no further than one of the distinct orders, whatever the labels are', () => {
    const few = (right: readonly number[]) => ({
      count: 6,
      right: Float64Array.from(right),
      agreement: Float64Array.of(1, 1, 1, 1, 0.5, 0.7),
      group: Uint32Array.of(0, 0, 0, 0, 1, 1),
    })
    const reaches = (right: readonly number[]) =>
      permutationCheck(few(right), seededRandom(1)).rows.map(({ reach }) => Math.round(1 / reach))
    // 6! / (3! 3!), 6! / 4!, 6! / (4! 2!)
    expect(reaches([1, 1, 1, 0, 0, 0])).toEqual([20, 30, 15])
    expect(reaches([1, 1, 1, 1, 1, 1])).toEqual([20, 30, 15])
    expect(permutationCheck(stream(400, 1, 0), seededRandom(1)).rows.map(({ reach }) => 1 / reach)).toEqual([
      ...[20_000, 20_000, 20_000],
    ])
  })

  test('calls a change clear that is found more often than not', () => {
    // Of 10 and of 30 % wrong answers in 320 questions.
    const { files, enough } = sized({ short: { files: 7, enough: 4 }, full: { files: 21, enough: 10 } })
    const found = Array.from({ length: files }, (_, seed) => {
      const random = seededRandom(seed)
      const right = Float64Array.from({ length: 320 }, (__, at) => (random() < (at < 160 ? 0.9 : 0.7) ? 1 : 0))
      return permutationCheck({ count: 320, right, agreement: right, group: null }, random).rows[0]!
    })
    const smaller = found.filter(({ pValue }) => pValue! < 0.001)
    expect(found[0]!.clearPValue).toBeLessThan(0.001)
    expect(smaller.length).toBeGreaterThanOrEqual(enough)
  })

  test('is the same for a seed', () => {
    const rows = () => permutationCheck(stream(200, 2, 0), seededRandom(9)).rows
    expect(rows()).toEqual(rows())
  })
})
