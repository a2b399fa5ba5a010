import type { MergedRows } from './merge-rows.ts'

/** First and second derivatives of the loss by the log-odds for each merged row, summed over its rows. */
export interface Derivatives {
  readonly gradients: Float64Array
  readonly hessians: Float64Array
}

/** Sums of the derivatives and number of rows per cell. */
export interface Histogram {
  readonly gradients: Float64Array
  readonly hessians: Float64Array
  readonly counts: Int32Array
}

export function emptyHistogram(cells: number): Histogram {
  return { gradients: new Float64Array(cells), hessians: new Float64Array(cells), counts: new Int32Array(cells) }
}

/** Returns a function that overwrites a histogram with the sums over the merged rows in `order`. */
export function rowSummer({ cells, counts: sizes, edges: { columns } }: MergedRows) {
  return ({ gradients, hessians, counts }: Histogram, order: Int32Array, of: Derivatives): void => {
    gradients.fill(0)
    hessians.fill(0)
    counts.fill(0)
    for (let i = 0; i < order.length; i++) {
      const row = order[i]!
      const gradient = of.gradients[row]!
      const hessian = of.hessians[row]!
      const size = sizes[row]!
      const end = (row + 1) * columns
      for (let at = row * columns; at < end; at++) {
        const cell = cells[at]!
        gradients[cell] = gradients[cell]! + gradient
        hessians[cell] = hessians[cell]! + hessian
        counts[cell] = counts[cell]! + size
      }
    }
  }
}

/** Turns the histogram of a parent into that of one child by subtracting the other's. */
export function subtract(from: Histogram, other: Histogram): void {
  const { gradients, hessians, counts } = from
  for (let cell = 0; cell < counts.length; cell++) {
    gradients[cell] = gradients[cell]! - other.gradients[cell]!
    hessians[cell] = hessians[cell]! - other.hessians[cell]!
    counts[cell] = counts[cell]! - other.counts[cell]!
  }
}
