import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { bruteForceIndex } from '../../src/neighbours/brute-force.ts'
import { distinctStates } from '../../src/neighbours/distinct-states.ts'
import {
  distanceSum,
  type NeighbourIndex,
  type NeighbourRows,
  noSum,
  oscillationSum,
  type Ties,
} from '../../src/neighbours/neighbour-index.ts'
import { stripIndex } from '../../src/neighbours/strip-index.ts'
import { permutation, type Random, seededRandom } from '../../src/random.ts'
import { differences } from './differences.ts'

const SUMS = [noSum(), oscillationSum(0.3), distanceSum((distance) => distance ** 2 + 1)]

/** Every seventh query is far out and every fifth nearby, so seven have both. */
const QUERIES = sized({ short: 14, full: 30 })
const FEW_QUERIES = sized({ short: 7, full: 8 })

/** Each draws one state. */
const SHAPES: Readonly<Record<string, (random: Random) => [number, number]>> = {
  'evenly spread': (random) => [random(), random()],
  'on a lattice': (random) => [Math.floor(random() * 17) / 16, Math.floor(random() * 17) / 16],
  'in a thin diagonal band': (random) => {
    const x = random()
    return [x, x + 1e-3 * random()]
  },
  'on a line across': (random) => [random(), 0.5],
  'on a line upwards': (random) => [0.5, random()],
  'in one place': () => [0.25, 0.75],
  'in clusters far apart': (random) => [Math.floor(random() * 3) + 1e-4 * random(), Math.floor(random() * 3)],
  'with outliers': (random) => [random() < 0.01 ? 1e6 * random() : random(), 1 / (random() + 1e-9)],
  'with heavy tails': (random) => [Math.tan(Math.PI * (random() - 0.5)), Math.tan(Math.PI * (random() - 0.5))],
  'half of them in one place': (random) => (random() < 0.5 ? [0.5, 0.5] : [random(), random()]),
  'closer than squares can tell': (random) => [1e-170 * random(), 1e-150 * random()],
  'of subnormal size': (random) => [1e-310 * random(), 1e-310 * random()],
  'very far out': (random) => [1e149 * (random() - 0.5), 1e149 * random()],
  'at the largest coordinates': (random) => [1e150 * Math.sign(random() - 0.5), 1e150 * (2 * random() - 1)],
  'far from 0 and close together': (random) => [1e9 + random(), 1e9 + 1e-3 * random()],
}

describe.each<Ties>(['include', 'index'])('with ties %s', (ties) => {
  test.each(Object.keys(SHAPES))('states %s are counted as brute force counts them', (shape) => {
    const random = seededRandom(20261116)
    const draw = SHAPES[shape]!
    const { found, compare } = differences(isNear)
    for (const size of [1, 2, 7, 60, 300, 2500]) {
      const rows = drawRows(random, size, draw)
      const fast = strips(rows, ties)
      const slow = bruteForceIndex(rows, ties)
      const kFamily = [...new Set([1, 2, Math.ceil(size / 20), Math.ceil(size / 5), size].filter((k) => k <= size))]
      kFamily.sort((a, b) => a - b)
      for (let asked = 0; asked < (size > 1000 ? FEW_QUERIES : QUERIES); asked++) {
        const query = Float64Array.from(queryFor(random, draw, asked))
        // A squared distance of 1e298 is finite, its sums are not.
        for (const sum of shape.startsWith('very far') || shape.startsWith('at the largest') ? [noSum()] : SUMS) {
          compare(fast.search(query, kFamily, sum), slow.search(query, kFamily, sum))
        }
      }
    }
    expect(found).toEqual([])
  })

  test('an answer is the same to the last bit from a new index and from one that has answered before', () => {
    const random = seededRandom(12)
    for (const shape of ['evenly spread', 'in a thin diagonal band', 'with heavy tails']) {
      const rows = drawRows(random, 1500, SHAPES[shape]!)
      const used = strips(rows, ties)
      for (let asked = 0; asked < sized({ short: 12, full: 40 }); asked++) {
        const query = Float64Array.from(SHAPES[shape]!(random))
        for (const kFamily of [[64, 128, 256], [200]]) {
          for (const sum of SUMS) {
            expect(used.search(query, kFamily, sum)).toEqual(strips(rows, ties).search(query, kFamily, sum))
          }
        }
      }
    }
  })
})

test('with ties included the order of rows does not matter, to the last bit', () => {
  const random = seededRandom(5)
  for (const shape of ['evenly spread', 'on a lattice', 'half of them in one place']) {
    const rows = drawRows(random, 800, SHAPES[shape]!)
    const order = permutation(800, random)
    const shuffled: NeighbourRows = {
      points: Float64Array.from({ length: 1600 }, (_, at) => rows.points[order[at >> 1]! * 2 + (at & 1)]!),
      dimension: 2,
      correct: Uint8Array.from(order, (row) => rows.correct[row]!),
      smoothed: Float64Array.from(order, (row) => rows.smoothed![row]!),
    }
    const [original, other] = [strips(rows, 'include'), strips(shuffled, 'include')]
    for (let asked = 0; asked < 40; asked++) {
      const query = Float64Array.from(SHAPES[shape]!(random))
      for (const sum of SUMS) {
        expect(other.search(query, [10, 100, 500], sum)).toEqual(original.search(query, [10, 100, 500], sum))
      }
    }
  }
})

test('states on the circle of the k-th distance are all counted, wherever their strip ends', () => {
  // Integer points on one circle are tied exactly: 8 * 25^2 = 5000 = x^2 + y^2 in many ways.
  const circle: [number, number][] = []
  for (let x = -71; x <= 71; x++) for (let y = -71; y <= 71; y++) if (x * x + y * y === 4225) circle.push([x, y])
  expect(circle.length).toBeGreaterThan(30)
  const inside = Array.from({ length: 200 }, (_, at): [number, number] => [(at % 20) - 10, Math.floor(at / 20) - 5])
  const points = Float64Array.from([...circle, ...inside].flat())
  const correct = new Uint8Array(points.length / 2).map((_, row) => row & 1)
  const rows = { points, dimension: 2, correct, smoothed: null }
  const kFamily = [200, 201, 200 + circle.length]
  for (const ties of ['include', 'index'] as const) {
    const [fast, slow] = [strips(rows, ties), bruteForceIndex(rows, ties)]
    const { found, compare } = differences(isNear)
    compare(fast.search(new Float64Array(2), kFamily, noSum()), slow.search(new Float64Array(2), kFamily, noSum()))
    expect(found).toEqual([])
  }
})

function strips(rows: NeighbourRows, ties: Ties): NeighbourIndex {
  return stripIndex(rows, distinctStates(rows.points, rows.dimension, rows.correct), ties)
}

/** Mostly where states are; sometimes on one of them, nearby, or far from all. */
function queryFor(random: Random, draw: (random: Random) => [number, number], asked: number): [number, number] {
  if (asked % 7 === 6) return [1e4 * (random() - 0.5), -1e4 * random()]
  if (asked % 5 === 4) return [3 * random() - 1, 3 * random() - 1]
  return draw(random)
}

function drawRows(random: Random, size: number, draw: (random: Random) => [number, number]): NeighbourRows {
  const points = Float64Array.from(Array.from({ length: size }, () => draw(random)).flat())
  const correct = Uint8Array.from({ length: size }, () => (random() < 0.7 ? 1 : 0))
  const smoothed = Float64Array.from({ length: size }, (_, row) =>
    Math.sin(points[2 * row]! + 3 * points[2 * row + 1]!),
  )
  return { points, dimension: 2, correct, smoothed }
}

function isNear(sum: number, other: number): boolean {
  return Math.abs(sum - other) <= 1e-11 * Math.max(1, Math.abs(other))
}
