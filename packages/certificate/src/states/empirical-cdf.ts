/** How to read a value between two seen values; see `readCdf`. */
export type CdfReading = 'step' | 'interpolated'

/** The empirical distribution of one coordinate: distinct values, ascending, and the number of rows at or below each. */
export interface EmpiricalCdf {
  readonly values: Float64Array
  /** Null if no value repeats: the i-th is then the i-th smallest. */
  readonly atOrBelow: Uint32Array | null
  readonly rows: number
}

/** One for each coordinate. */
export function empiricalCdfs(points: Float64Array, dimension: number): EmpiricalCdf[] {
  return Array.from({ length: dimension }, (_, axis) => empiricalCdf(points, dimension, axis))
}

/** F(x) = #{rows <= x} / n over the `axis`-th coordinate of row-major points. Labels play no part. */
export function empiricalCdf(points: Float64Array, dimension: number, axis: number): EmpiricalCdf {
  const rows = points.length / dimension
  const sorted = new Float64Array(rows)
  // Adding 0 turns -0 into 0. The two sort differently but compare equal.
  for (let row = 0; row < rows; row++) sorted[row] = points[row * dimension + axis]! + 0
  sorted.sort()

  let distinct = 0
  for (let row = 0; row < rows; row++) if (row === 0 || sorted[row] !== sorted[row - 1]) distinct++
  if (distinct === rows) return { values: sorted, atOrBelow: null, rows }
  const values = new Float64Array(distinct)
  const atOrBelow = new Uint32Array(distinct)
  let slot = -1
  for (let row = 0; row < rows; row++) {
    if (row === 0 || sorted[row] !== sorted[row - 1]) values[++slot] = sorted[row]!
    atOrBelow[slot] = row + 1
  }
  return { values, atOrBelow, rows }
}

/**
 * The share of rows at or below x.
 *
 * `step`, as in the paper, maps an unseen value to the next lower seen one, at distance 0 from it. `interpolated` keeps
 * the seen values where they are and puts an unseen one between its two neighbours. Both give 0 below the smallest seen
 * value, at a distance from it, and 1 above the largest, at distance 0 from it.
 */
export function readCdf(cdf: EmpiricalCdf, x: number, reading: CdfReading): number {
  const { values, atOrBelow, rows } = cdf
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle]! <= x) low = middle + 1
    else high = middle
  }
  if (low === 0) return 0
  const below = (atOrBelow ? atOrBelow[low - 1]! : low) / rows
  if (reading === 'step' || low === values.length || values[low - 1] === x) return below
  const share = (x - values[low - 1]!) / (values[low]! - values[low - 1]!)
  return below + share * ((atOrBelow ? atOrBelow[low]! : low + 1) / rows - below)
}
