import type { BinnedRows } from './feature-bins.ts'

/** Rows that no tree can distinguish, merged into one each, with their numbers. */
export interface MergedRows extends BinnedRows {
  readonly labels: Uint8Array
  readonly counts: Int32Array
}

/**
 * Rows with equal cells and label fall into the same leaf of every tree and have the same derivatives. Votes and
 * rounded confidences repeat so often that tens of thousands of rows become hundreds.
 */
export function mergeRows({ edges, cells }: BinnedRows, labels: Uint8Array): MergedRows {
  const { columns } = edges
  const numbers = numberRows({ edges, cells }, labels)
  const firstRow: number[] = []
  const counts: number[] = []
  for (const [row, number] of numbers.entries()) {
    if (number === firstRow.length) {
      firstRow.push(row)
      counts.push(0)
    }
    counts[number]!++
  }
  const merged = new Int32Array(firstRow.length * columns)
  for (const [at, row] of firstRow.entries()) {
    merged.set(cells.subarray(row * columns, (row + 1) * columns), at * columns)
  }
  return {
    edges,
    cells: merged,
    labels: Uint8Array.from(firstRow, (row) => labels[row]!),
    counts: Int32Array.from(counts),
  }
}

/** Equal numbers for equal rows, in order of first occurrence, by the label and then column by column. */
function numberRows({ edges: { columns, uppers }, cells }: BinnedRows, labels: Uint8Array): Int32Array {
  const numbers = Int32Array.from(labels)
  for (let column = 0; column < columns; column++) {
    const known = new Map<number, number>()
    for (let row = 0; row < numbers.length; row++) {
      // Below 2^53, since it is less than rows x cells.
      const pair = numbers[row]! * uppers.length + cells[row * columns + column]!
      let number = known.get(pair)
      if (number === undefined) {
        number = known.size
        known.set(pair, number)
      }
      numbers[row] = number
    }
  }
  return numbers
}
