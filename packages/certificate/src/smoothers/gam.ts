import { CertificateError } from '../certificate-error.ts'
import { SPLINE_FUNCTIONS, type UniformSpline, uniformSpline } from './b-spline.ts'
import { lbfgs } from './lbfgs.ts'
import { type LogisticInput, logisticLoss } from './logistic-loss.ts'
import { fitLogistic, type LogisticFit } from './logistic-regression.ts'
import type { Smoother } from './smoother.ts'

/** The optimum itself, or where scikit-learn's default solver stops short of it. */
export type GamSolver = 'optimum' | 'scikit-learn'

/**
 * Logistic additive model of success: an intercept plus one cubic spline per coordinate, knots over the coordinate's
 * range, constant outside, L2 penalty with C = 1 (the paper's pilot smoother).
 *
 * `points` are m distinct states of `dimension` numbers, row-major, with `successes` out of `counts` at each. A
 * coordinate that is constant contributes nothing. One class only is refused by the regression: a constant smoother
 * would make the envelope 0, a larger bound from fewer labels.
 */
export function fitGam(
  points: Float64Array,
  dimension: number,
  successes: ArrayLike<number>,
  counts: ArrayLike<number>,
  solver: GamSolver = 'optimum',
): Smoother {
  if (!(Number.isInteger(dimension) && dimension >= 1 && points.length === counts.length * dimension)) {
    throw new CertificateError('fitGam', 'points.length', `${counts.length} x ${dimension}`, points.length)
  }
  const axes: number[] = []
  const splines: UniformSpline[] = []
  for (let axis = 0; axis < dimension; axis++) {
    const [min, max] = rangeOf(points, dimension, axis)
    if (min === max) continue
    axes.push(axis)
    splines.push(uniformSpline(min, max))
  }
  const columns = axes.length * SPLINE_FUNCTIONS
  const basis = new Float64Array(4)
  const rows = (row: number, into: Float64Array, at: number) => {
    for (let term = 0; term < axes.length; term++) {
      const first = splines[term]!.evaluate(points[row * dimension + axes[term]!]!, basis, 0)
      into.set(basis, at + term * SPLINE_FUNCTIONS + first)
    }
  }
  const fit = solver === 'optimum' ? fitLogistic : fitLogisticEarly
  const { intercept, weights } = fit({ rows, columns, successes, counts })

  return additiveModel(axes, splines, intercept, weights)
}

/** Apart from the fit, so that the pilot rows do not live as long as the model. */
function additiveModel(
  axes: readonly number[],
  splines: readonly UniformSpline[],
  intercept: number,
  weights: Float64Array,
): Smoother {
  const basis = new Float64Array(4)
  return {
    predict(states, offset) {
      let f = intercept
      for (let term = 0; term < axes.length; term++) {
        const first = splines[term]!.evaluate(states[offset + axes[term]!]!, basis, 0)
        const at = term * SPLINE_FUNCTIONS + first
        f += basis[0]! * weights[at]! + basis[1]! * weights[at + 1]!
        f += basis[2]! * weights[at + 2]! + basis[3]! * weights[at + 3]!
      }
      return 1 / (1 + Math.exp(-f))
    },
  }
}

function rangeOf(points: Float64Array, dimension: number, axis: number): readonly [number, number] {
  let [min, max] = [Infinity, -Infinity]
  for (let at = axis; at < points.length; at += dimension) {
    if (!Number.isFinite(points[at])) throw new CertificateError('fitGam', `points[${at}]`, 'finite', points[at])
    min = Math.min(min, points[at]!)
    max = Math.max(max, points[at]!)
  }
  return [min, max]
}

/** The regression of `fitLogistic` with C = 1, stopped where scikit-learn's default solver stops; see `lbfgs`. */
function fitLogisticEarly(input: LogisticInput): Omit<LogisticFit, 'iterations'> {
  const loss = logisticLoss('fitLogisticEarly', input, 1)
  const found = lbfgs(loss.value, loss.size)
  return { intercept: found.at(-1)!, weights: found.slice(0, input.columns) }
}
