import { compareRows, lexicographicOrder } from './lexicographic-order.ts'

/** Rows grouped by identical state: votes and stated beliefs put many rows on one point. */
export interface DistinctStates {
  /** Row-major, in lexicographic order: the same for every order of the rows. */
  readonly points: Float64Array
  readonly dimension: number
  readonly counts: Uint32Array
  readonly successes: Uint32Array
  /** `rows[starts[i] .. starts[i + 1]]` are the rows of state i, ascending. */
  readonly starts: Uint32Array
  readonly rows: Uint32Array
}

export function distinctStates(points: Float64Array, dimension: number, correct: Uint8Array): DistinctStates {
  const rows = lexicographicOrder(points, dimension, correct.length)
  const isNew = (position: number) =>
    position === 0 || compareRows(points, dimension, rows[position - 1]!, rows[position]!) !== 0

  let distinct = 0
  for (let position = 0; position < rows.length; position++) if (isNew(position)) distinct++

  const states = new Float64Array(distinct * dimension)
  const counts = new Uint32Array(distinct)
  const successes = new Uint32Array(distinct)
  const starts = new Uint32Array(distinct + 1)
  let slot = -1
  for (let position = 0; position < rows.length; position++) {
    const row = rows[position]!
    if (isNew(position)) {
      starts[++slot] = position
      for (let axis = 0; axis < dimension; axis++) states[slot * dimension + axis] = points[row * dimension + axis]!
    }
    counts[slot] = counts[slot]! + 1
    successes[slot] = successes[slot]! + correct[row]!
  }
  starts[distinct] = rows.length
  return { points: states, dimension, counts, successes, starts, rows }
}
