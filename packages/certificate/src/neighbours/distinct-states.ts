/** Rows grouped by identical state, since votes and stated beliefs put many rows on one point. */
export interface DistinctStates {
  /** Row-major, in lexicographic order, which does not depend on the order of the rows. */
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

/**
 * Rows sorted by their coordinates, first axis first. Equal rows keep their order.
 *
 * This is a merge sort in typed memory: the built-in sort calls back for every comparison and copies a million rows to
 * the heap.
 */
function lexicographicOrder(points: Float64Array, dimension: number, count: number): Uint32Array {
  let from = new Uint32Array(count)
  let into = new Uint32Array(count)
  for (let row = 0; row < count; row++) from[row] = row
  for (let width = 1; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width) {
      const middle = Math.min(start + width, count)
      merge(points, dimension, from, into, start, middle, Math.min(start + 2 * width, count))
    }
    ;[from, into] = [into, from]
  }
  return from
}

/** Negative, 0 or positive if row a comes before, equals or comes after row b. */
function compareRows(points: Float64Array, dimension: number, a: number, b: number): number {
  for (let axis = 0; axis < dimension; axis++) {
    const difference = points[a * dimension + axis]! - points[b * dimension + axis]!
    if (difference !== 0) return difference
  }
  return 0
}

function merge(
  points: Float64Array,
  dimension: number,
  from: Uint32Array,
  into: Uint32Array,
  start: number,
  middle: number,
  end: number,
): void {
  let left = start
  let right = middle
  for (let at = start; at < end; at++) {
    const takesLeft = left < middle && (right >= end || compareRows(points, dimension, from[left]!, from[right]!) <= 0)
    into[at] = takesLeft ? from[left++]! : from[right++]!
  }
}
