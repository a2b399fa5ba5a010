/**
 * Rows by their coordinates, first axis first; equal rows keep their order.
 *
 * A merge sort in typed memory: the built-in sort calls back for every comparison and copies a million rows to the heap.
 */
export function lexicographicOrder(points: Float64Array, dimension: number, count: number): Uint32Array {
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

/** Negative, 0 or positive as row a comes before, with or after row b. */
export function compareRows(points: Float64Array, dimension: number, a: number, b: number): number {
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
