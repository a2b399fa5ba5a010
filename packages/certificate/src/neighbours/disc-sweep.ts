import { cellOf, ROW, type Strips } from './strips.ts'

/**
 * Strips with the working memory of their searches. Everything except `strips`, `few` and `power` belongs to the last
 * sweep.
 */
export interface Sweeper {
  readonly strips: Strips
  /** Up to this many rows, the shell is listed at once instead of being narrowed by another sweep. */
  readonly few: number
  /** The power of the squared distance with which rows grow around the query, as estimated from its sweeps. */
  power: number
  /** Rows and successes nearer than the shell, packed. */
  inside: number
  /** States of the shell. The first `size` entries are in use. */
  size: number
  squares: Float64Array
  positions: Int32Array
}

const FIRST_SHELL = 1024
const FEW_STATES = 48
/** Relative margin: far above rounding errors, and far below what would cost a visit of one more state. */
export const MARGIN = 1e-9
/** Smaller squares lose precision, so none of them counts as inside. A shell may always be wider than requested. */
export const SMALLEST = 1e-280

export function sweeper(strips: Strips): Sweeper {
  const rows = Math.floor(strips.before[strips.before.length - 1]! / ROW)
  return {
    strips,
    few: FEW_STATES * Math.max(1, rows / (strips.before.length - 1)),
    power: 1,
    inside: 0,
    size: 0,
    squares: new Float64Array(FIRST_SHELL),
    positions: new Int32Array(FIRST_SHELL),
  }
}

/**
 * Counts the rows whose squared distance is below `inner` and lists the states from `inner` to `outer`, both included.
 * It visits only the states of a strip that are near one of the two circles, and counts those between as a whole.
 *
 * A state that is counted as part of a whole is nearer than `inner`, and one that is left out is further than `outer`,
 * even in floating point: the margin covers the rounding of squares, and cells and differences are monotone in the
 * coordinates.
 *
 * No branch of the inner loop depends on a distance, because the processor would mispredict half of them.
 */
export function sweep(sweeper: Sweeper, x: number, y: number, inner: number, outer: number): void {
  const { count, edges, cells, firsts, points, before } = sweeper.strips
  let { squares, positions } = sweeper
  const near = inner < SMALLEST ? 0 : inner
  const far = Math.max(outer, SMALLEST)
  const reach = far * (1 + MARGIN)
  const core = near * (1 - MARGIN)
  let inside = 0
  let size = 0
  for (let strip = firstStrip(edges, count, y - Math.sqrt(reach)); strip < count; strip++) {
    const above = edges[4 * strip]! - y
    const below = y - edges[4 * strip + 1]!
    const gap = Math.max(above, below, 0)
    const width = reach - gap * gap
    if (width < 0) {
      // Only past the query is every later strip further away. Before it, rounding may have included a strip.
      if (above > 0) break
      continue
    }
    const left = edges[4 * strip + 2]!
    const perUnit = edges[4 * strip + 3]!
    const last = cells[2 * strip]!
    const at = cells[2 * strip + 1]!
    const half = Math.sqrt(width)
    const from = firsts[at + cellOf((x - half - left) * perUnit, last)]!
    const to = firsts[at + cellOf((x + half - left) * perUnit, last) + 1]!
    let leftEnd = to
    let rightStart = to
    const depth = Math.max(-above, -below)
    const whole = core - depth * depth
    if (whole > 0) {
      const inHalf = Math.sqrt(whole)
      const first = firsts[at + cellOf((x - inHalf - left) * perUnit, last) + 1]!
      const end = firsts[at + cellOf((x + inHalf - left) * perUnit, last)]!
      if (first < end) {
        inside += before[end]! - before[first]!
        leftEnd = first
        rightStart = end
      }
    }
    if (size + to - from >= squares.length) {
      grow(sweeper, size + to - from)
      squares = sweeper.squares
      positions = sweeper.positions
    }
    for (let position = from; position < to; position++) {
      if (position === leftEnd) {
        position = rightStart
        if (position >= to) break
      }
      const dx = points[2 * position]! - x
      const dy = points[2 * position + 1]! - y
      const square = dx * dx + dy * dy
      const isInside = Number(square < near)
      inside += (before[position + 1]! - before[position]!) * isInside
      squares[size] = square
      positions[size] = position
      size += Number(square <= far) - isInside
    }
  }
  sweeper.inside = inside
  sweeper.size = size
}

/** The first strip whose upper edge is at or above `lowest`. */
export function firstStrip(edges: Float64Array, count: number, lowest: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (edges[4 * middle + 1]! < lowest) low = middle + 1
    else high = middle
  }
  return low
}

function grow(sweeper: Sweeper, needed: number): void {
  const { squares, positions } = sweeper
  const size = Math.max(2 * squares.length, needed + 1)
  sweeper.squares = new Float64Array(size)
  sweeper.positions = new Int32Array(size)
  sweeper.squares.set(squares)
  sweeper.positions.set(positions)
}

/** Rows and successes of the shell, packed. */
export function shellRows({ strips: { before }, size, positions }: Sweeper): number {
  let packed = 0
  for (let at = 0; at < size; at++) packed += before[positions[at]! + 1]! - before[positions[at]!]!
  return packed
}

/** The squared distance of the k-th nearest row, which must be in the shell. This reorders the shell. */
export function kthSquare(sweeper: Sweeper, k: number): number {
  const { squares, positions, inside } = sweeper
  const { before } = sweeper.strips
  let low = 0
  let high = sweeper.size
  let packed = inside
  while (high - low > 24) {
    const middle = partition(squares, positions, low, high)
    let part = 0
    for (let at = low; at < middle; at++) part += before[positions[at]! + 1]! - before[positions[at]!]!
    if (packed + part >= k * ROW) high = middle
    else {
      packed += part
      low = middle
    }
  }
  sort(squares, positions, low, high)
  for (let at = low; at < high; at++) {
    packed += before[positions[at]! + 1]! - before[positions[at]!]!
    if (packed >= k * ROW) return squares[at]!
  }
  throw new Error('the shell does not hold the k-th row')
}

/** Partitions the range and returns an index strictly inside it: nothing before it is further than anything from it on. */
function partition(squares: Float64Array, positions: Int32Array, low: number, high: number): number {
  const a = squares[low]!
  const b = squares[(low + high) >>> 1]!
  const c = squares[high - 1]!
  const pivot = Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
  let left = low
  let right = high - 1
  while (left <= right) {
    while (squares[left]! < pivot) left++
    while (squares[right]! > pivot) right--
    if (left > right) break
    const square = squares[left]!
    const position = positions[left]!
    squares[left] = squares[right]!
    positions[left++] = positions[right]!
    squares[right] = square
    positions[right--] = position
  }
  return left
}

function sort(squares: Float64Array, positions: Int32Array, low: number, high: number): void {
  for (let at = low + 1; at < high; at++) {
    const square = squares[at]!
    const position = positions[at]!
    let hole = at
    for (; hole > low && squares[hole - 1]! > square; hole--) {
      squares[hole] = squares[hole - 1]!
      positions[hole] = positions[hole - 1]!
    }
    squares[hole] = square
    positions[hole] = position
  }
}
