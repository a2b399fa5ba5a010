import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { bruteForceIndex } from '../../src/neighbours/brute-force.ts'
import { kdTreeIndex } from '../../src/neighbours/kd-tree-index.ts'
import {
  distanceSum,
  type NeighbourRows,
  noSum,
  oscillationSum,
  type Ties,
} from '../../src/neighbours/neighbour-index.ts'
import { permutation, type Random, seededRandom } from '../../src/random.ts'
import { differences } from './differences.ts'

const SUMS = [noSum(), oscillationSum(0.3), distanceSum((distance) => distance ** 2 + 1)]

describe.each<Ties>(['include', 'index'])('with ties %s', (ties) => {
  test('the fast index finds what brute force finds, on thousands of random and tied cases in one to five dimensions', () => {
    const random = seededRandom(20261115)
    const { found, compare } = differences(isNear)
    for (let drawn = 0; drawn < sized({ short: 900, full: 2500 }); drawn++) {
      const { rows, query, kFamily } = drawCase(random)
      const fast = kdTreeIndex(rows, ties)
      const slow = bruteForceIndex(rows, ties)
      for (let repeat = 0; repeat < 2; repeat++) {
        const at = query()
        for (const sum of SUMS) compare(fast.search(at, kFamily, sum), slow.search(at, kFamily, sum))
      }
    }
    expect(found).toEqual([])
  })

  test('thousands of rows on a handful of states are counted exactly', () => {
    const random = seededRandom(3)
    const rows = drawRows(random, 5000, 2, 4)
    const fast = kdTreeIndex(rows, ties)
    const slow = bruteForceIndex(rows, ties)
    const { found, compare } = differences(isNear)
    for (let repeat = 0; repeat < 20; repeat++) {
      const at = drawPoint(random, 2, 4)
      const kFamily = [1, 128, 512, 1024, 5000]
      for (const sum of SUMS) compare(fast.search(at, kFamily, sum), slow.search(at, kFamily, sum))
    }
    expect(found).toEqual([])
  })

  test('states that lie exactly on the edge of a bucket are counted once, and only when they are near enough', () => {
    // On sixteenths, seen from a corner, squared distances fall on the edges of the histogram's buckets.
    const random = seededRandom(9)
    const { found, compare } = differences(isNear)
    for (let drawn = 0; drawn < sized({ short: 120, full: 400 }); drawn++) {
      const size = 300 + Math.floor(random() * 900)
      const points = Float64Array.from({ length: 2 * size }, () => Math.floor(random() * 17) / 16)
      const correct = Uint8Array.from({ length: size }, () => (random() < 0.8 ? 1 : 0))
      const rows = { points, dimension: 2, correct, smoothed: null }
      const [fast, slow] = [kdTreeIndex(rows, ties), bruteForceIndex(rows, ties)]
      const kFamily = [Math.floor(size * 0.3), Math.floor(size * (0.5 + 0.4 * random()))]
      for (const corner of [
        [0, 0],
        [1, 1],
        [0, 1],
        [0.5, 0.5],
      ]) {
        const query = Float64Array.from(corner)
        compare(fast.search(query, kFamily, noSum()), slow.search(query, kFamily, noSum()))
      }
    }
    expect(found).toEqual([])
  })

  test('coordinates of any finite size are searched, not only those in [0, 1]', () => {
    const coordinate = fc.double({ noNaN: true, min: -1e12, max: 1e12 })
    fc.assert(
      fc.property(
        fc.array(fc.tuple(coordinate, coordinate, fc.boolean()), { minLength: 1, maxLength: 200 }),
        fc.tuple(coordinate, coordinate),
        (drawn, [x, y]) => {
          const rows: NeighbourRows = {
            points: Float64Array.from(drawn.flatMap((row) => [row[0], row[1]])),
            dimension: 2,
            correct: Uint8Array.from(drawn, ([, , right]) => (right ? 1 : 0)),
            smoothed: null,
          }
          const kFamily = [...new Set([1, Math.ceil(drawn.length / 2), drawn.length])]
          const query = Float64Array.of(x, y)
          const fast = kdTreeIndex(rows, ties).search(query, kFamily, noSum())
          const { found, compare } = differences(isNear)
          compare(fast, bruteForceIndex(rows, ties).search(query, kFamily, noSum()))
          expect(found).toEqual([])
        },
      ),
      { numRuns: 300 },
    )
  })
})

test('with ties included the order of rows does not matter, to the last bit', () => {
  const random = seededRandom(5)
  const rows = drawRows(random, 800, 2, 9)
  const order = permutation(800, random)
  const shuffled: NeighbourRows = {
    points: Float64Array.from({ length: 1600 }, (_, at) => rows.points[order[at >> 1]! * 2 + (at & 1)]!),
    dimension: 2,
    correct: Uint8Array.from(order, (row) => rows.correct[row]!),
    smoothed: Float64Array.from(order, (row) => rows.smoothed![row]!),
  }
  const original = kdTreeIndex(rows, 'include')
  const other = kdTreeIndex(shuffled, 'include')
  for (let repeat = 0; repeat < 50; repeat++) {
    const query = drawPoint(random, 2, 9)
    for (const sum of SUMS) {
      expect(other.search(query, [10, 100, 500], sum)).toEqual(original.search(query, [10, 100, 500], sum))
    }
  }
})

test('with ties by index, equal distances are taken in row order', () => {
  const rows: NeighbourRows = {
    points: Float64Array.of(1, -1, 1, -1),
    dimension: 1,
    correct: Uint8Array.of(0, 1, 1, 0),
    smoothed: null,
  }
  const { counts, successes } = kdTreeIndex(rows, 'index').search(Float64Array.of(0), [1, 2, 3], noSum())
  expect([...counts]).toEqual([1, 2, 3])
  expect([...successes]).toEqual([0, 1, 2])
})

function isNear(sum: number, other: number): boolean {
  return Math.abs(sum - other) < 1e-9
}

function drawCase(random: Random) {
  const dimension = 1 + Math.floor(random() * 5)
  const size = 1 + Math.floor(random() * 260)
  const lumps = random() < 0.6 ? 1 + Math.floor(random() * 12) : 0
  const wanted = [1, 2, 3, 10, 50, 128, size].filter((k) => k <= size)
  return {
    rows: drawRows(random, size, dimension, lumps),
    query: () => drawPoint(random, dimension, random() < 0.7 ? lumps : 0),
    kFamily: [...new Set(wanted)].sort((a, b) => a - b),
  }
}

function drawRows(random: Random, size: number, dimension: number, lumps: number): NeighbourRows {
  const points = new Float64Array(size * dimension)
  for (let row = 0; row < size; row++) points.set(drawPoint(random, dimension, lumps), row * dimension)
  const correct = Uint8Array.from({ length: size }, () => (random() < 0.7 ? 1 : 0))
  const smoothed = Float64Array.from({ length: size }, (_, row) =>
    points.subarray(row * dimension, (row + 1) * dimension).reduce((sum, value) => sum + Math.sin(7 * value), 0),
  )
  return { points, dimension, correct, smoothed }
}

/** On a lattice of `lumps` steps, or continuous and reaching outside when 0. */
function drawPoint(random: Random, dimension: number, lumps: number): Float64Array {
  return Float64Array.from({ length: dimension }, () =>
    lumps > 0 ? Math.floor(random() * lumps) / lumps : random() * 1.4 - 0.2,
  )
}
