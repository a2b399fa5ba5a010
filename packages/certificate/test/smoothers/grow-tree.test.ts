import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom } from '../../src/random.ts'
import { fitBoostedTrees } from '../../src/smoothers/boosted-trees.ts'
import { gainQueue } from '../../src/smoothers/grow-tree.ts'
import { readReference } from '../reference/read-reference.ts'

interface Leaf {
  readonly rows: readonly number[]
  readonly value: number
  readonly contains: (point: readonly number[]) => boolean
}

interface Problem {
  readonly points: readonly (readonly number[])[]
  readonly labels: readonly number[]
  readonly maximumLeaves: number
  readonly minimumLeafRows: number
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Every split of a leaf tried on its rows: no bins, no histograms, no order of growth but the largest gain. */
function splitsOf({ points, labels, minimumLeafRows }: Problem, leaf: Leaf) {
  const rate = sum(labels) / labels.length
  const gradient = (rows: readonly number[]) => sum(rows.map((row) => Math.fround(rate - labels[row]!)))
  const hessian = (rows: readonly number[]) => rows.length * Math.fround(rate * (1 - rate))
  const newton = (rows: readonly number[]) => -gradient(rows) / (hessian(rows) + 1e-15)
  return points[0]!.flatMap((_, column) => {
    const values = [...new Set(points.map((point) => point[column]!))].sort((a, b) => a - b)
    return values.slice(1).flatMap((value, i) => {
      const threshold = (values[i]! + value) / 2
      const sides = [true, false].map((isLeft) => {
        const isHere = (point: readonly number[]) => point[column]! <= threshold === isLeft
        const rows = leaf.rows.filter((row) => isHere(points[row]!))
        return { rows, value: newton(rows), contains: (at: readonly number[]) => leaf.contains(at) && isHere(at) }
      })
      if (sides.some(({ rows }) => rows.length < minimumLeafRows)) return []
      const loss = (side: Leaf) => gradient(side.rows) * side.value
      return [{ leaf, sides, gain: loss(leaf) - loss(sides[0]!) - loss(sides[1]!) }]
    })
  })
}

function slowTree(problem: Problem): readonly Leaf[] {
  let leaves: readonly Leaf[] = [{ rows: problem.labels.map((_, row) => row), value: 0, contains: () => true }]
  while (leaves.length < problem.maximumLeaves) {
    const splits = leaves.flatMap((leaf) => splitsOf(problem, leaf))
    const gain = Math.max(0, ...splits.map((split) => split.gain))
    // Two splits as good as each other: which comes first is a matter of rounding.
    fc.pre(splits.filter((split) => split.gain > gain - 1e-9).every(({ leaf }, _, [first]) => leaf === first?.leaf))
    const best = splits.find((split) => split.gain === gain)
    if (gain < 1e-9 || best === undefined) return leaves
    leaves = [...leaves.filter((leaf) => leaf !== best.leaf), ...best.sides]
  }
  return leaves
}

test('the first tree is the one that trying every split finds', () => {
  let compared = 0
  fc.assert(
    fc.property(
      fc.record({
        seed: fc.nat(),
        count: fc.integer({ min: 6, max: 40 }),
        maximumLeaves: fc.integer({ min: 2, max: 12 }),
        minimumLeafRows: fc.integer({ min: 1, max: 6 }),
        values: fc.constantFrom(3, 8, 1000),
      }),
      ({ seed, count, values, ...options }) => {
        const random = seededRandom(seed)
        const point = () => [Math.floor(values * random()), Math.floor(values * random())]
        const points = Array.from({ length: count }, point)
        const labels = points.map(([x], row) => (row < 2 ? row : x! / values + random() > 1 ? 1 : 0))
        const tree = slowTree({ points, labels, ...options })
        const rows = Float64Array.from(points.flat())
        const model = fitBoostedTrees(rows, 2, Uint8Array.from(labels), { ...options, trees: 1, learningRate: 1 })
        const rate = sum(labels) / labels.length
        for (const at of [...points, ...Array.from({ length: 20 }, point)]) {
          const { value } = tree.find((leaf) => leaf.contains(at))!
          const odds = (rate / (1 - rate)) * Math.exp(value)
          // A split that gains nothing but rounding moves the value by a rounding of single precision.
          expect(model.predict(Float64Array.from(at), 0)).toBeCloseTo(odds / (1 + odds), 7)
          compared++
        }
      },
    ),
    { numRuns: 60 },
  )
  expect(compared).toBeGreaterThan(1000)
})

test("equal gains leave the queue in the order of Python's heapq", () => {
  const { steps, popped }: { steps: readonly (number | null)[]; popped: readonly number[] } =
    readReference('boosted-trees.json').queue
  const queue = gainQueue<{ readonly gain: number; readonly name: number }>()
  const found: (number | undefined)[] = []
  for (const [name, gain] of steps.entries()) {
    if (gain === null) found.push(queue.pop()?.name)
    else queue.push({ gain, name })
  }
  expect(found).toEqual(popped)
})

test('a queue returns everything, largest gain first, and is then empty', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 })), (gains) => {
      const queue = gainQueue<{ readonly gain: number }>()
      for (const gain of gains) queue.push({ gain })
      expect(gains.map(() => queue.pop()?.gain)).toEqual(gains.toSorted((a, b) => b - a))
      expect(queue.pop()).toBeUndefined()
    }),
  )
})
