import { ROW, type Strips } from './strips.ts'

/**
 * Approximate density of the rows: the plane in equal cells, with cumulative counts from the lower left corner. It only
 * determines where a search begins. It is immutable.
 */
export interface CountGrid {
  /** Cells along each axis. */
  readonly side: number
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly top: number
  /** Cells per unit of each coordinate; 0 if all states share it. */
  readonly columnsPerUnit: number
  readonly linesPerUnit: number
  /** Rows left of and below each corner, line by line. */
  readonly below: Uint32Array
}

const LARGEST_SIDE = 512

export function countGrid({ points, before }: Strips): CountGrid {
  const size = points.length / 2
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity]
  for (let position = 0; position < size; position++) {
    left = Math.min(left, points[2 * position]!)
    right = Math.max(right, points[2 * position]!)
    bottom = Math.min(bottom, points[2 * position + 1]!)
    top = Math.max(top, points[2 * position + 1]!)
  }
  const side = Math.max(4, Math.min(LARGEST_SIDE, Math.ceil(1.5 * Math.sqrt(size))))
  const perUnit = (width: number) => (Number.isFinite(side / width) ? side / width : 0)
  const [columnsPerUnit, linesPerUnit] = [perUnit(right - left), perUnit(top - bottom)]
  const below = new Uint32Array((side + 1) ** 2)
  for (let position = 0; position < size; position++) {
    const column = Math.min(((points[2 * position]! - left) * columnsPerUnit) | 0, side - 1)
    const line = Math.min(((points[2 * position + 1]! - bottom) * linesPerUnit) | 0, side - 1)
    below[(line + 1) * (side + 1) + column + 1]! += Math.floor((before[position + 1]! - before[position]!) / ROW)
  }
  for (let line = 1; line <= side; line++) {
    let inLine = 0
    for (let column = 1; column <= side; column++) {
      const at = line * (side + 1) + column
      inLine += below[at]!
      below[at] = inLine + below[at - side - 1]!
    }
  }
  return { side, left, bottom, right, top, columnsPerUnit, linesPerUnit, below }
}

/** Approximate number of rows in the square around a point. Cells that its sides cut are assumed to be filled evenly. */
export function rowsInSquare(grid: CountGrid, x: number, y: number, half: number): number {
  const { side, left, bottom, columnsPerUnit, linesPerUnit, below } = grid
  const x0 = columnsPerUnit === 0 ? 0 : within((x - half - left) * columnsPerUnit, side)
  const x1 = columnsPerUnit === 0 ? side : within((x + half - left) * columnsPerUnit, side)
  const y0 = linesPerUnit === 0 ? 0 : within((y - half - bottom) * linesPerUnit, side)
  const y1 = linesPerUnit === 0 ? side : within((y + half - bottom) * linesPerUnit, side)
  const column0 = Math.min(x0 | 0, side - 1)
  const column1 = Math.min(x1 | 0, side - 1)
  const line0 = Math.min(y0 | 0, side - 1)
  const line1 = Math.min(y1 | 0, side - 1)
  const share0 = x0 - column0
  const share1 = x1 - column1
  const a = between(below, line0 * (side + 1), column0, share0, column1, share1)
  const b = between(below, (line0 + 1) * (side + 1), column0, share0, column1, share1)
  const c = between(below, line1 * (side + 1), column0, share0, column1, share1)
  const d = between(below, (line1 + 1) * (side + 1), column0, share0, column1, share1)
  return c + (d - c) * (y1 - line1) - (a + (b - a) * (y0 - line0))
}

function within(place: number, side: number): number {
  return place > 0 ? Math.min(place, side) : 0
}

/** Rows below a line of the grid, between two places on it. */
function between(
  below: Uint32Array,
  line: number,
  column0: number,
  share0: number,
  column1: number,
  share1: number,
): number {
  const from = below[line + column0]!
  const to = below[line + column1]!
  return to + (below[line + column1 + 1]! - to) * share1 - (from + (below[line + column0 + 1]! - from) * share0)
}

/** Half the side of a square around a point that has about `k` rows, searched from `start` on. */
export function halfSideFor(grid: CountGrid, x: number, y: number, k: number, start: number): number {
  let half = start
  for (let tries = 0; tries < 6; tries++) {
    const rows = rowsInSquare(grid, x, y, half)
    if (Math.abs(rows - k) <= 0.02 * k) break
    half *= rows > k / 64 ? Math.sqrt(k / rows) : 8
  }
  return half
}
