import { CertificateError } from '../certificate-error.ts'
import { lbfgs } from './lbfgs.ts'
import { type LogisticInput, logisticLoss } from './logistic-loss.ts'
import { fitLogistic, type LogisticFit } from './logistic-regression.ts'
import type { Smoother } from './smoother.ts'

/** Eight knots make seven pieces, and a cubic basis has three functions more than pieces. */
const PIECES = 7
export const SPLINE_FUNCTIONS = PIECES + 3

interface UniformSpline {
  /** Writes the four basis functions that are not zero at `x` to `out` and returns the index of the first, 0 to 6. */
  evaluate(x: number, out: Float64Array, offset: number): number
}

/** The optimum itself, or the point where scikit-learn's default solver stops short of it. */
export type GamSolver = 'optimum' | 'scikit-learn'

/**
 * Logistic additive model of success: an intercept plus one cubic spline per coordinate, with knots over the range of
 * the coordinate, constant outside, L2 penalty with C = 1 (the paper's pilot smoother).
 *
 * `points` are m distinct states of `dimension` numbers, row-major, with `successes` out of `counts` at each. A
 * constant coordinate contributes nothing. The regression refuses labels of one class, because a constant smoother
 * would make the envelope 0 and thus give a larger bound from fewer labels.
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

/** Separate from the fit, so that the pilot rows do not live as long as the model. */
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

/**
 * Cubic B-splines on 8 uniform knots over [min, max]: 10 functions that sum to 1, constant outside (scikit-learn's
 * SplineTransformer(n_knots=8, degree=3, extrapolation='constant')). Uniform knots give every piece the same four
 * polynomials (de Boor 1978).
 */
export function uniformSpline(min: number, max: number): UniformSpline {
  if (!Number.isFinite(min)) throw new CertificateError('uniformSpline', 'min', 'finite', min)
  if (!(max > min && Number.isFinite(max - min))) {
    throw new CertificateError('uniformSpline', 'max', `greater than ${min} and finite`, max)
  }
  return {
    evaluate(x, out, offset) {
      if (Number.isNaN(x)) throw new CertificateError('uniformSpline.evaluate', 'x', 'a number', x)
      const at = x <= min ? 0 : x >= max ? PIECES : ((x - min) / (max - min)) * PIECES
      const piece = Math.min(Math.floor(at), PIECES - 1)
      const t = at - piece
      const s = 1 - t
      out[offset] = (s * s * s) / 6
      out[offset + 1] = 2 / 3 - t * t * (1 - 0.5 * t)
      out[offset + 2] = 2 / 3 - s * s * (1 - 0.5 * s)
      out[offset + 3] = (t * t * t) / 6
      return piece
    },
  }
}
