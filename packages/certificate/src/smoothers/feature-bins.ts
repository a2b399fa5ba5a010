/** How features are cut into bins. The bins of all columns are numbered consecutively as cells, column by column. */
export interface BinEdges {
  readonly columns: number
  /** First cell of each column, followed by the number of cells. */
  readonly starts: Int32Array
  /** Upper end of each cell, inclusive; infinite for the last cell of a column. */
  readonly uppers: Float64Array
}

export interface BinnedRows {
  readonly edges: BinEdges
  /** The cell of each row and column, row-major. */
  readonly cells: Int32Array
}

/**
 * Bins as in scikit-learn's _BinMapper: one per distinct value, with thresholds half-way between values. If there are
 * more values than bins, thresholds are at evenly spaced percentiles of the rows.
 *
 * `rows` are finite and row-major. All rows are used, whereas scikit-learn samples 200,000 if there are more.
 */
export function binRows(rows: Float64Array, columns: number, maximumBins: number): BinnedRows {
  const count = rows.length / columns
  const thresholds = Array.from({ length: columns }, (_, column) => {
    const values = Float64Array.from({ length: count }, (_, row) => rows[row * columns + column]!)
    return thresholdsOf(values.sort(), maximumBins)
  })
  const starts = new Int32Array(columns + 1)
  for (const [column, { length }] of thresholds.entries()) starts[column + 1] = starts[column]! + length + 1
  const uppers = new Float64Array(starts[columns]!).fill(Infinity)
  for (const [column, inner] of thresholds.entries()) uppers.set(inner, starts[column])
  const edges = { columns, starts, uppers }
  const cells = new Int32Array(rows.length)
  for (let at = 0; at < rows.length; at++) cells[at] = cellOf(edges, at % columns, rows[at]!)
  return { edges, cells }
}

/** The cell of a value in a column. Values outside the range belong to the first or the last cell. */
export function cellOf({ starts, uppers }: BinEdges, column: number, value: number): number {
  let low = starts[column]!
  let high = starts[column + 1]! - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (value <= uppers[middle]!) high = middle
    else low = middle + 1
  }
  return low
}

/** The largest threshold, as in scikit-learn. */
const ALMOST_INFINITE = 1e300

function thresholdsOf(sorted: Float64Array, maximumBins: number): Float64Array {
  const distinct = sorted.filter((value, i) => i === 0 || value !== sorted[i - 1])
  const thresholds =
    distinct.length <= maximumBins
      ? distinct.subarray(1).map((value, i) => (distinct[i]! + value) * 0.5)
      : percentiles(sorted, maximumBins)
  return thresholds.map((value) => Math.min(value, ALMOST_INFINITE))
}

/** NumPy's percentile(method='midpoint') at the inner points of linspace(0, 100, bins + 1), rounding included. */
function percentiles(sorted: Float64Array, bins: number): Float64Array {
  return Float64Array.from({ length: bins - 1 }, (_, i) => {
    const rank = (sorted.length - 1) * (((i + 1) * (100 / bins)) / 100)
    const [below, above] = [sorted[Math.floor(rank)]!, sorted[Math.ceil(rank)]!]
    return above - (above - below) * 0.5
  })
}
