import { CertificateError } from '../certificate-error.js'

/** Eight knots make seven pieces; a cubic basis has three functions more than pieces. */
const PIECES = 7
export const SPLINE_FUNCTIONS = PIECES + 3
/**
 * Cubic B-splines on 8 uniform knots over [min, max]: 10 functions that sum to 1, constant outside (scikit-learn's
 * SplineTransformer(n_knots=8, degree=3, extrapolation='constant')). Uniform knots give every piece the same four
 * polynomials (de Boor 1978).
 */
export function uniformSpline(min, max) {
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
