import type { DistinctStates } from './distinct-states.ts'

/** Rows and successes are packed into one number: rows times this, plus successes. It is exact below 2^26 rows. */
export const ROW = 2 ** 26

/**
 * States of the plane in strips of about equal size by their second coordinate, ascending by the first within a strip.
 * `before` is cumulative, so one subtraction counts all states between two positions of a strip.
 */
export interface Strips {
  readonly count: number
  /** Per strip: smallest and largest second coordinate, smallest first coordinate, cells per unit of it. */
  readonly edges: Float64Array
  /** Per strip: the number of cells that divide its first coordinate, and the start of its entries in `firsts`. */
  readonly cells: Int32Array
  /** Per strip and cell from -1 on: the first position in this cell or a later one. */
  readonly firsts: Int32Array
  /** Coordinates by position. */
  readonly points: Float64Array
  /** Rows and successes before each position, packed. */
  readonly before: Float64Array
}

/**
 * Strips per square root of the number of states. With fewer, the edge of a disc is longer. With more, there are more
 * strips to enter.
 */
const STRIPS = 0.58

/** Also returns the state at each position, separately because only the build needs it. */
export function buildStrips({ points, counts, successes }: DistinctStates): { strips: Strips; order: Uint32Array } {
  const size = counts.length
  const { order, starts } = stripOrder(points, size)
  const placed = new Float64Array(2 * size)
  const before = new Float64Array(size + 1)
  for (let position = 0; position < size; position++) {
    const state = order[position]!
    placed[2 * position] = points[2 * state]!
    placed[2 * position + 1] = points[2 * state + 1]!
    before[position + 1] = before[position]! + counts[state]! * ROW + successes[state]!
  }
  return { strips: { count: starts.length - 1, points: placed, before, ...divide(placed, starts) }, order }
}

/**
 * States by strip, and where each strip starts. Distinct states ascend by their first coordinate, and strips keep that
 * order.
 */
function stripOrder(points: Float64Array, size: number): { order: Uint32Array; starts: Int32Array } {
  const lowest = lowestOfStrips(points, Math.max(1, Math.round(STRIPS * Math.sqrt(size))))
  const starts = new Int32Array(lowest.length + 1)
  for (let state = 0; state < size; state++) starts[lastAtMost(lowest, points[2 * state + 1]!) + 1]! += 1
  for (let strip = 0; strip < lowest.length; strip++) starts[strip + 1]! += starts[strip]!
  const order = new Uint32Array(size)
  const next = starts.slice()
  for (let state = 0; state < size; state++) order[next[lastAtMost(lowest, points[2 * state + 1]!)]!++] = state
  return { order, starts }
}

/** The distinct second coordinates at which strips begin. */
function lowestOfStrips(points: Float64Array, wanted: number): Float64Array {
  const sorted = new Float64Array(points.length / 2)
  for (let state = 0; state < sorted.length; state++) sorted[state] = points[2 * state + 1]!
  sorted.sort()
  const at = (strip: number) => sorted[Math.floor((strip * sorted.length) / wanted)]!
  return Float64Array.from({ length: wanted }, (_, strip) => at(strip)).filter(
    (start, strip) => strip === 0 || start !== at(strip - 1),
  )
}

function lastAtMost(ascending: Float64Array, value: number): number {
  let low = 1
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle]! <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** A strip has as many cells as states, so a cell is found with one product and contains about one state. */
function divide(points: Float64Array, starts: Int32Array) {
  const count = starts.length - 1
  const edges = new Float64Array(4 * count)
  const cells = new Int32Array(2 * count)
  const firsts = new Int32Array(starts[count]! + 4 * count)
  for (let strip = 0; strip < count; strip++) {
    const [start, end] = [starts[strip]!, starts[strip + 1]!]
    let [lowest, highest] = [Infinity, -Infinity]
    for (let position = start; position < end; position++) {
      lowest = Math.min(lowest, points[2 * position + 1]!)
      highest = Math.max(highest, points[2 * position + 1]!)
    }
    const left = points[2 * start]!
    const ratio = (end - start) / (points[2 * end - 2]! - left)
    // Without a usable width all states of the strip are in one cell.
    const perUnit = Number.isFinite(ratio) ? ratio : 0
    const at = start + 4 * strip + 1
    edges.set([lowest, highest, left, perUnit], 4 * strip)
    cells.set([end - start, at], 2 * strip)
    let position = start
    for (let cell = -1; cell <= end - start + 2; cell++) {
      firsts[at + cell] = position
      while (position < end && cellOf((points[2 * position]! - left) * perUnit, end - start) <= cell) position++
    }
  }
  return { edges, cells, firsts }
}

/** Never decreases as the product increases, so cells keep the order of coordinates even in floating point. */
export function cellOf(product: number, cells: number): number {
  return product < 0 ? -1 : product >= cells + 1 ? cells + 1 : product | 0
}
