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
 * Trees read without walking them (QuickScorer, Lucchese et al. 2015): each tree keeps a set of leaves in one word,
 * leftmost lowest. A feature value beyond a split rules out the leaves to its left; of those that no feature rules
 * out, the leftmost is the one reached. What a cell rules out is tabled once, for all trees.
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

/** `at` says for each column where the words of the row's cell begin. */
function sumLeaves(allowed: Int32Array, values: Float64Array, at: Int32Array): number {
  let sum = 0
  for (let tree = 0, first = 0; first < values.length; tree++, first += MOST_LEAVES) {
    let leaves = allowed[at[0]! + tree]!
    for (let column = 1; column < at.length; column++) leaves &= allowed[at[column]! + tree]!
    sum += values[first + 31 - Math.clz32(leaves & -leaves)]!
  }
  return sum
}

/** Numbers leaves from left to right, tells `rule` each branch's cell and the leaves to its left; returns the next. */
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

/** What a cell rules out, the cells above it in the column rule out too. */
function spread(allowed: Int32Array, { starts, columns }: BinEdges, count: number): void {
  for (let column = 0; column < columns; column++) {
    for (let at = (starts[column]! + 1) * count; at < starts[column + 1]! * count; at++) {
      allowed[at] = allowed[at]! & allowed[at - count]!
    }
  }
}
