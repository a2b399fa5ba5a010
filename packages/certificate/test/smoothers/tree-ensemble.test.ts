import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Random, seededRandom } from '../../src/random.ts'
import { binRows } from '../../src/smoothers/feature-bins.ts'
import type { TreeNode } from '../../src/smoothers/grow-tree.ts'
import { treeEnsemble } from '../../src/smoothers/tree-ensemble.ts'

const nothing = { rows: 0, gradient: 0, hessian: 0, from: 0, to: 0, branch: null }
const [columns, values] = [3, 10]
const rows = Float64Array.from({ length: columns * values }, (_, i) => Math.floor(i / columns))
const { edges } = binRows(rows, columns, 255)

function randomTree(leaves: number, random: Random): TreeNode {
  const leaf = { ...nothing, value: random() - 0.5 }
  if (leaves === 1) return leaf
  const first = 1 + Math.floor((leaves - 1) * random())
  const column = Math.floor(columns * random())
  const cell = edges.starts[column]! + Math.floor((values - 1) * random())
  const split = { column, cell, gain: 1, left: leaf, right: leaf }
  const [left, right] = [randomTree(first, random), randomTree(leaves - first, random)]
  return { ...leaf, branch: { split, left, right } }
}

function walk({ branch, value }: TreeNode, point: Float64Array): number {
  if (branch === null) return value
  const { column, cell } = branch.split
  return walk(point[column]! <= edges.uppers[cell]! ? branch.left : branch.right, point)
}

test('the sum is that of the leaves reached by walking down each tree, up to 32 leaves', () => {
  const coordinate = fc.double({ min: -2, max: values + 2, noNaN: true })
  const onThreshold = fc.integer({ min: -1, max: 2 * values }).map((half) => half / 2)
  const point = fc.array(fc.oneof(coordinate, onThreshold), { minLength: columns, maxLength: columns })
  const sizes = fc.array(fc.constantFrom(1, 2, 5, 31, 32), { maxLength: 5 })
  fc.assert(
    fc.property(fc.nat(), sizes, fc.array(point, { minLength: 20 }), (seed, leaves, points) => {
      const random = seededRandom(seed)
      const trees = leaves.map((count) => randomTree(count, random))
      const ensemble = treeEnsemble(trees, edges, 0.25)
      for (const at of points.map((each) => Float64Array.from(each))) {
        const expected = trees.reduce((sum, tree) => sum + 0.25 * walk(tree, at), 0)
        expect(ensemble.sum(at, 0)).toBeCloseTo(expected, 14)
      }
    }),
  )
})
