import { CertificateError } from '../certificate-error.ts'
import { type BinEdges, cellOf } from './feature-bins.ts'
import type { TreeNode } from './grow-tree.ts'

export interface TreeEnsemble {
  /** Sum of the leaf values that a row reaches. */
  sum(rows: Float64Array, offset: number): number
}

/** One bit of a word per leaf. */
export const MOST_LEAVES = 32

/**
 * Evaluates trees without walking them (QuickScorer, Lucchese et al. 2015). Each tree has a set of leaves in one word,
 * leftmost in the lowest bit. A feature value beyond a split rules out the leaves to its left. Of the leaves that no
 * feature rules out, the leftmost is the one reached. A table has what each cell rules out, for all trees.
 */
export function treeEnsemble(trees: readonly TreeNode[], edges: BinEdges, scale: number): TreeEnsemble {
  const { columns } = edges
  const count = trees.length
  const values = new Float64Array(count * MOST_LEAVES)
  const allowed = new Int32Array(edges.uppers.length * count).fill(-1)
  for (const [tree, root] of trees.entries()) {
    const rule = (cell: number, leaves: number) => {
      const at = (cell + 1) * count + tree
      allowed[at] = allowed[at]! & ~leaves
    }
    numberLeaves(root, 0, rule, (leaf, value) => {
      values[tree * MOST_LEAVES + leaf] = value * scale
    })
  }
  spread(allowed, edges, count)
  const at = new Int32Array(columns)
  return {
    sum(rows, offset) {
      for (let column = 0; column < columns; column++) {
        const value = rows[offset + column]!
        if (!(value <= Infinity))
          throw new CertificateError('fitBoostedTrees.predict', `rows[${offset + column}]`, 'a number', value)
        at[column] = cellOf(edges, column, value) * count
      }
      return sumLeaves(allowed, values, at)
    },
  }
}

/** `at` has, for each column, the start of the words of the row's cell. */
function sumLeaves(allowed: Int32Array, values: Float64Array, at: Int32Array): number {
  let sum = 0
  for (let tree = 0, first = 0; first < values.length; tree++, first += MOST_LEAVES) {
    let leaves = allowed[at[0]! + tree]!
    for (let column = 1; column < at.length; column++) leaves &= allowed[at[column]! + tree]!
    sum += values[first + 31 - Math.clz32(leaves & -leaves)]!
  }
  return sum
}

/**
 * Numbers leaves from left to right, and calls `rule` with each branch's cell and the leaves to its left. Returns the
 * next number.
 */
function numberLeaves(
  node: TreeNode,
  first: number,
  rule: (cell: number, leaves: number) => void,
  name: (leaf: number, value: number) => void,
): number {
  if (node.branch === null) {
    name(first, node.value)
    return first + 1
  }
  const middle = numberLeaves(node.branch.left, first, rule, name)
  rule(node.branch.split.cell, ((1 << (middle - first)) - 1) << first)
  return numberLeaves(node.branch.right, middle, rule, name)
}

/** The cells above a cell in its column also rule out what it rules out. */
function spread(allowed: Int32Array, { starts, columns }: BinEdges, count: number): void {
  for (let column = 0; column < columns; column++) {
    for (let at = (starts[column]! + 1) * count; at < starts[column + 1]! * count; at++) {
      allowed[at] = allowed[at]! & allowed[at - count]!
    }
  }
}
