import type { BoostingOptions } from './boosting-options.ts'
import type { BinEdges } from './feature-bins.ts'
import type { Histogram } from './histogram.ts'

/** Rows that share a leaf: their number, the sums of their derivatives, and the resulting step on the log-odds. */
export interface LeafSums {
  readonly rows: number
  readonly gradient: number
  readonly hessian: number
  readonly value: number
}

/** A split. Rows up to `cell` of `column` go to the left. */
export interface Split {
  readonly gain: number
  readonly column: number
  readonly cell: number
  readonly left: LeafSums
  readonly right: LeafSums
}

/** Smallest sum of second derivatives that a split must leave on both sides, as in scikit-learn. */
export const MINIMUM_HESSIAN = 1e-3

export type SplitFinder = (histogram: Histogram, node: LeafSums) => Split | null

/**
 * Finds the split that lowers the quadratic model of the loss most (Chen and Guestrin 2016, equation 7, without the
 * half). Among equals it takes the first in order of columns and cells; null if none lowers it.
 */
export function splitFinder({ columns, starts }: BinEdges, { l2, minimumLeafRows }: BoostingOptions): SplitFinder {
  return ({ gradients, hessians, counts }, node) => {
    const loss = node.gradient * node.value
    let gain = 0
    let best = { column: -1, cell: -1, rows: 0, gradient: 0, hessian: 0 }
    for (let column = 0; column < columns; column++) {
      const last = starts[column + 1]! - 1
      let [rows, gradient, hessian] = [0, 0, 0]
      for (let cell = starts[column]!; cell < last; cell++) {
        rows += counts[cell]!
        gradient += gradients[cell]!
        hessian += hessians[cell]!
        if (rows < minimumLeafRows || hessian < MINIMUM_HESSIAN) continue
        const rest = node.gradient - gradient
        const restHessian = node.hessian - hessian
        if (node.rows - rows < minimumLeafRows || restHessian < MINIMUM_HESSIAN) break
        const here = loss - gradient * newton(gradient, hessian, l2) - rest * newton(rest, restHessian, l2)
        if (here > gain) {
          gain = here
          best = { column, cell, rows, gradient, hessian }
        }
      }
    }
    if (best.column < 0) return null
    const [rest, restHessian] = [node.gradient - best.gradient, node.hessian - best.hessian]
    return {
      gain,
      column: best.column,
      cell: best.cell,
      left: { ...leafOf(best.gradient, best.hessian, l2), rows: best.rows },
      right: { ...leafOf(rest, restHessian, l2), rows: node.rows - best.rows },
    }
  }
}

function leafOf(gradient: number, hessian: number, l2: number): Omit<LeafSums, 'rows'> {
  return { gradient, hessian, value: newton(gradient, hessian, l2) }
}

/** Newton's step, with the last term as in scikit-learn. */
function newton(gradient: number, hessian: number, l2: number): number {
  return -gradient / (hessian + l2 + 1e-15)
}
