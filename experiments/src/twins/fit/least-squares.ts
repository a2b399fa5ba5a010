/** Residuals at a point of the unit cube. */
export type Residuals = (point: readonly number[]) => readonly number[]

export interface Fit {
  readonly point: readonly number[]
  /** Sum of squared residuals. */
  readonly loss: number
}

export interface DescentOptions {
  readonly iterations: number
  /** Step of the difference quotients. It is wide because a simulated share is a step function of the parameters. */
  readonly difference: number
}

/** The method of Levenberg (1944) and Marquardt (1963) inside the unit cube, with derivatives by differences. */
export function leastSquares(residuals: Residuals, start: readonly number[], options: DescentOptions): Fit {
  let best = evaluated(residuals, start)
  let damping = FIRST_DAMPING
  for (let iteration = 0; iteration < options.iterations; iteration++) {
    const slopes = differenceQuotients(residuals, best, options.difference)
    const step = dampedStep(residuals, { best, slopes, damping })
    if (step === null) break
    best = step.found
    damping = step.damping / 5
  }
  return { point: best.point, loss: best.loss }
}

export function sumOfSquares(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value * value, 0)
}

interface Evaluated extends Fit {
  readonly values: readonly number[]
}

const FIRST_DAMPING = 100
const MOST_TRIES = 4

function evaluated(residuals: Residuals, point: readonly number[]): Evaluated {
  const values = residuals(point)
  return { point, values, loss: sumOfSquares(values) }
}

/**
 * Row i has the change of each residual with coordinate i, by backward differences where a forward step would leave the
 * cube.
 */
function differenceQuotients(residuals: Residuals, { point, values }: Evaluated, difference: number): number[][] {
  return point.map((coordinate, moved) => {
    const step = coordinate + difference > 1 ? -difference : difference
    const there = residuals(point.map((value, place) => (place === moved ? value + step : value)))
    return there.map((value, place) => (value - values[place]!) / step)
  })
}

interface Situation {
  readonly best: Evaluated
  readonly slopes: readonly (readonly number[])[]
  readonly damping: number
}

/** The first step that lowers the loss, each try shorter and closer to the gradient; null if none does. */
function dampedStep(residuals: Residuals, { best, slopes, damping }: Situation) {
  let tried = damping
  for (let attempt = 0; attempt < MOST_TRIES; attempt++, tried *= 6) {
    const found = evaluated(residuals, moved(best, slopes, tried))
    if (found.loss < best.loss) return { found, damping: tried }
  }
  return null
}

function moved({ point, values }: Evaluated, slopes: Situation['slopes'], damping: number): number[] {
  const gradient = slopes.map((slope) => dot(slope, values))
  const curvature = slopes.map((row, at) => slopes.map((column, to) => dot(row, column) + (at === to ? damping : 0)))
  const step = solve(curvature, gradient)
  return point.map((coordinate, place) => Math.min(1, Math.max(0, coordinate - step[place]!)))
}

function dot(left: readonly number[], right: readonly number[]): number {
  return left.reduce((sum, value, place) => sum + value * right[place]!, 0)
}

/** Gauss-Jordan elimination. The damped matrix is positive definite, so no pivoting is needed. */
function solve(matrix: readonly (readonly number[])[], values: readonly number[]): number[] {
  const rows = matrix.map((row, place) => [...row, values[place]!])
  for (const [pivot, row] of rows.entries()) {
    for (const [place, other] of rows.entries()) {
      if (place === pivot) continue
      const factor = other[pivot]! / row[pivot]!
      for (let column = pivot; column < row.length; column++) other[column]! -= factor * row[column]!
    }
  }
  return rows.map((row, place) => row.at(-1)! / row[place]!)
}
