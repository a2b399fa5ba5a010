import { type CountGrid, countGrid, halfSideFor } from './count-grid.ts'
import { firstStrip, kthSquare, MARGIN, SMALLEST, type Sweeper, shellRows, sweep, sweeper } from './disc-sweep.ts'
import type { DistinctStates } from './distinct-states.ts'
import {
  emptyNeighbourhoods,
  type Neighbourhoods,
  type NeighbourIndex,
  type NeighbourRows,
  type NeighbourSum,
  type Ties,
} from './neighbour-index.ts'
import { buildStrips, cellOf, ROW } from './strips.ts'

/**
 * Exact k-NN in the plane by counting discs. A grid of counts estimates the distance of the k-th row. Rows well inside
 * that distance are counted as a whole, and the k-th row is selected from the remaining thin shell. A wrong estimate
 * costs time but never a row, since the counts show whether the shell contains the k-th row. No search affects the next
 * one.
 */
export function stripIndex(input: NeighbourRows, states: DistinctStates, ties: Ties): NeighbourIndex {
  const rows = input.correct.length
  const space = prepare(input, states, ties)
  let found = emptyNeighbourhoods(1)
  return {
    rows,
    search(query, kFamily, sum) {
      if (found.counts.length !== kFamily.length) found = emptyNeighbourhoods(kFamily.length)
      search(space, query[0]!, query[1]!, kFamily, sum, found)
      return found
    },
  }
}

interface Space {
  readonly sweeper: Sweeper
  readonly grid: CountGrid
  /** Half the side of a square that would contain one row if rows were spread evenly. */
  readonly unit: number
  readonly ties: Ties
  /** By position; empty if no sum needs it. */
  readonly smoothed: Float64Array
  /** Labels by row, if ties are broken by row; else empty. */
  readonly correct: Uint8Array
  /** Rows by position, if ties are broken by row; else empty. */
  readonly rows: Uint32Array
}

/** Separate from the index, so that intermediate data does not live as long as the index. */
function prepare({ correct, smoothed }: NeighbourRows, states: DistinctStates, ties: Ties): Space {
  const { strips, order } = buildStrips(states)
  const grid = countGrid(strips)
  return {
    sweeper: sweeper(strips),
    grid,
    unit: (0.5 * Math.max(grid.right - grid.left, grid.top - grid.bottom)) / Math.sqrt(correct.length),
    ties,
    smoothed: smoothed ? smoothedByPosition(smoothed, states, order) : new Float64Array(0),
    correct: ties === 'index' ? correct : new Uint8Array(0),
    rows: ties === 'index' ? rowsByPosition(states, order) : new Uint32Array(0),
  }
}

/** Equal states have equal smoothed values, so the first row of a state represents all. */
function smoothedByPosition(smoothed: Float64Array, { starts, rows }: DistinctStates, order: Uint32Array) {
  const placed = new Float64Array(order.length)
  for (let position = 0; position < order.length; position++) {
    placed[position] = smoothed[rows[starts[order[position]!]!]!]!
  }
  return placed
}

/** Rows grouped by position, ascending within a position. As many rows come before a position as `before` counts. */
function rowsByPosition({ starts, rows }: DistinctStates, order: Uint32Array): Uint32Array {
  const placed = new Uint32Array(rows.length)
  let at = 0
  for (const state of order) for (let row = starts[state]!; row < starts[state + 1]!; row++) placed[at++] = rows[row]!
  return placed
}

/** A disc has as many rows as a square of the same area if rows are spread evenly. */
const SQUARE_PER_HALF_SIDE = 4 / Math.PI

/**
 * How far the count in a disc differs from that in a square of the same area, in units of sqrt(k): about 1.7 standard
 * deviations.
 */
const SPREAD = 0.8

function search(
  space: Space,
  x: number,
  y: number,
  kFamily: readonly number[],
  sum: NeighbourSum,
  found: Neighbourhoods,
): void {
  const { grid, sweeper } = space
  const outside = squareToGrid(grid, x, y)
  let half = space.unit + Math.sqrt(outside)
  let isEven = true
  let square = 0
  sweeper.power = 1
  for (let slot = 0; slot < kFamily.length; slot++) {
    const k = kFamily[slot]!
    const last = slot === 0 ? 1 : kFamily[slot - 1]!
    let guess = square
    let spread = SPREAD / Math.sqrt(k)
    if (isEven) {
      half = halfSideFor(grid, x, y, k, half * Math.sqrt(k / last))
      guess = Math.max(half * half * SQUARE_PER_HALF_SIDE, outside)
    } else {
      guess *= (k / last) ** (1 / sweeper.power)
      spread = spreadOf(k - last, k, sweeper.power)
    }
    square = findSquare(sweeper, x, y, k, guess * (1 - Math.min(spread, 0.9)), guess * (1 + spread))
    // If rows do not fill the plane, for example along a line, the grid is wrong at every distance, and the last
    // distance is a better guide.
    isEven &&= Math.abs(square - guess) <= 2.5 * spread * guess
    record(space, x, y, square, k, slot, sum, found)
  }
}

/** Lower bound on the squared distance from a point to all states. */
function squareToGrid({ left, right, bottom, top }: CountGrid, x: number, y: number): number {
  const dx = Math.max(left - x, x - right, 0)
  const dy = Math.max(bottom - y, y - top, 0)
  return dx * dx + dy * dy
}

/** Relative error of a squared distance that was extrapolated over `missing` rows. */
function spreadOf(missing: number, k: number, power: number): number {
  return Math.min((3 * Math.sqrt(missing + 1) + 0.1 * missing) / (k * power), 0.3)
}

/** Tries before the shell is widened to everything that is still possible. */
const TRIES = 10

/**
 * The squared distance of the k-th row. It moves the shell, guided by the counts, until it contains that row. Rows are
 * assumed to grow as a power of the squared distance, which is 1 in an evenly filled plane and 1/2 on a line.
 */
function findSquare(sweeper: Sweeper, x: number, y: number, k: number, inner: number, outer: number): number {
  // `fewer` rows (below k) are no further than `low`, and `enough` rows (at least k) are nearer than `high`.
  let low = 0
  let fewer = 0
  let high = Infinity
  let enough = Infinity
  let lastSquare = 0
  let lastCount = 0
  let gaps = 0
  for (let tries = 1; tries <= TRIES + 1; tries++) {
    sweep(sweeper, x, y, inner, outer)
    let count = Math.floor(sweeper.inside / ROW)
    let square = inner
    if (count >= k) {
      high = inner
      enough = count
    } else {
      count = Math.floor((sweeper.inside + shellRows(sweeper)) / ROW)
      if (count >= k) return kthSquare(sweeper, k)
      square = outer
      low = outer
      fewer = count
    }
    const growth = Math.log(count / lastCount) / Math.log(square / lastSquare)
    if (growth > 0.3 && growth < 4) sweeper.power = growth
    const spread = spreadOf(Math.abs(k - count), k, sweeper.power)
    const centre = square * (k / Math.max(count, 1)) ** (1 / sweeper.power)
    inner = Math.max(low, centre * (1 - spread))
    outer = Math.min(high, centre * (1 + spread))
    if (count === lastCount) {
      // No row was found in between, so there is a gap of unknown width.
      gaps += 1
      const factor = 2 ** (gaps * gaps)
      inner = count < k || enough - fewer <= 4 * k ? low : Math.max(low, high / factor)
      outer = count < k ? Math.min(high, low * factor) : high
    }
    if (tries >= TRIES || enough - fewer <= sweeper.few || !(inner < outer)) {
      inner = low
      outer = high
    }
    lastSquare = square
    lastCount = count
  }
  throw new Error('no shell holds the k-th row')
}

/** Records the neighbourhood whose k-th row is at `square`. The shell still contains all rows at that distance. */
function record(
  space: Space,
  x: number,
  y: number,
  square: number,
  k: number,
  slot: number,
  sum: NeighbourSum,
  found: Neighbourhoods,
): void {
  const { sweeper, ties } = space
  const { squares, positions, size } = sweeper
  const { before } = sweeper.strips
  let nearer = sweeper.inside
  let upTo = sweeper.inside
  for (let at = 0; at < size; at++) {
    const packed = before[positions[at]! + 1]! - before[positions[at]!]!
    nearer += packed * Number(squares[at]! < square)
    upTo += packed * Number(squares[at]! <= square)
  }
  const isWhole = ties === 'include' || Math.floor(upTo / ROW) === k
  const packed = isWhole ? upTo : nearer
  const rows = Math.floor(packed / ROW)
  found.counts[slot] = rows
  found.successes[slot] = packed - rows * ROW
  found.radii[slot] = Math.sqrt(square)
  found.sums[slot] = sum.kind === 'none' ? 0 : sumOver(space, x, y, square, isWhole, sum)
  if (!isWhole) addByRowOrder(space, square, k - rows, sum, found, slot)
}

/** Adds up strip by strip, in the same order for every shell, so a sum depends on the states alone, to the last bit. */
function sumOver(space: Space, x: number, y: number, square: number, isWhole: boolean, sum: NeighbourSum): number {
  const { count, edges, cells, firsts } = space.sweeper.strips
  const reach = Math.max(square, SMALLEST) * (1 + MARGIN)
  let total = 0
  for (let strip = firstStrip(edges, count, y - Math.sqrt(reach)); strip < count; strip++) {
    const above = edges[4 * strip]! - y
    const gap = Math.max(above, y - edges[4 * strip + 1]!, 0)
    const width = reach - gap * gap
    if (width < 0) {
      if (above > 0) break
      continue
    }
    const left = edges[4 * strip + 2]!
    const perUnit = edges[4 * strip + 3]!
    const at = cells[2 * strip + 1]!
    const half = Math.sqrt(width)
    const from = firsts[at + cellOf((x - half - left) * perUnit, cells[2 * strip]!)]!
    const to = firsts[at + cellOf((x + half - left) * perUnit, cells[2 * strip]!) + 1]!
    if (sum.kind === 'distance') total += distances(space, from, to, x, y, square, isWhole, sum)
    else total += oscillations(space, from, to, x, y, square, isWhole, sum)
  }
  return total
}

/** Without calls and without a branch that depends on a distance, for speed. */
function oscillations(
  { sweeper, smoothed }: Space,
  from: number,
  to: number,
  x: number,
  y: number,
  square: number,
  isWhole: boolean,
  { centre }: NeighbourSum,
): number {
  const { points, before } = sweeper.strips
  const tied = Number(isWhole)
  let total = 0
  for (let position = from; position < to; position++) {
    const dx = points[2 * position]! - x
    const dy = points[2 * position + 1]! - y
    const own = dx * dx + dy * dy
    const isIn = Number(own < square) + tied * Number(own === square)
    const rows = ((before[position + 1]! - before[position]!) / ROW) | 0
    total += rows * Math.abs(smoothed[position]! - centre) * isIn
  }
  return total
}

function distances(
  { sweeper }: Space,
  from: number,
  to: number,
  x: number,
  y: number,
  square: number,
  isWhole: boolean,
  sum: NeighbourSum,
): number {
  const { points, before } = sweeper.strips
  let total = 0
  for (let position = from; position < to; position++) {
    const dx = points[2 * position]! - x
    const dy = points[2 * position + 1]! - y
    const own = dx * dx + dy * dy
    if (own > square || (own === square && !isWhole)) continue
    total += Math.floor((before[position + 1]! - before[position]!) / ROW) * sum.of(Math.sqrt(own))
  }
  return total
}

/** Adds the first `wanted` rows, in row order, of the states at exactly this distance. */
function addByRowOrder(
  { sweeper, smoothed, rows, correct }: Space,
  square: number,
  wanted: number,
  sum: NeighbourSum,
  found: Neighbourhoods,
  slot: number,
): void {
  const { squares, positions, size, strips } = sweeper
  const tied: { row: number; share: number }[] = []
  for (let at = 0; at < size; at++) {
    if (squares[at] !== square) continue
    const position = positions[at]!
    let share = 0
    if (sum.kind === 'oscillation') share = Math.abs(smoothed[position]! - sum.centre)
    else if (sum.kind === 'distance') share = sum.of(Math.sqrt(square))
    const start = Math.floor(strips.before[position]! / ROW)
    const end = Math.floor(strips.before[position + 1]! / ROW)
    // At most the first `wanted` rows of a state can be among the first `wanted` of all.
    for (const row of rows.subarray(start, Math.min(end, start + wanted))) tied.push({ row, share })
  }
  tied.sort((a, b) => a.row - b.row)
  for (const { row, share } of tied.slice(0, wanted)) {
    found.counts[slot]! += 1
    found.successes[slot]! += correct[row]!
    found.sums[slot]! += share
  }
}
