import { CertificateError } from '../certificate-error.ts'
import { stirlingError } from './stirling-error.ts'

/**
 * log Gamma(x) for x > 0, to about 1e-14 relative, also near the zeros at 1 and 2.
 *
 * It uses the Taylor series about 2 (DLMF 5.7.3) within 1/2 of it, the recurrence around that, and Stirling's series
 * from 10 on.
 */
export function logGamma(x: number): number {
  if (!(x > 0)) throw new CertificateError('logGamma', 'x', 'greater than 0', x)
  if (x >= 10) return x === Infinity ? x : (x - 0.5) * Math.log(x) - x + HALF_LOG_TWO_PI + stirlingError(x)
  if (x < 0.5) return aboutTwo(x) - Math.log(x) - Math.log1p(x)
  if (x < 1.5) return aboutTwo(x - 1) - Math.log1p(x - 1)
  let product = 1
  let at = x
  while (at >= 2.5) {
    at--
    product *= at
  }
  return Math.log(product) + aboutTwo(at - 2)
}

const HALF_LOG_TWO_PI = 0.9189385332046728

/** (-1)^k (zeta(k) - 1) / k for k = 2, 3, ...; from mpmath. */
const TAYLOR = Float64Array.of(
  0.32246703342411322,
  -0.067352301053198095,
  0.020580808427784548,
  -0.0073855510286739853,
  0.0028905103307415233,
  -0.001192753911703261,
  5.0966952474304242e-4,
  -2.2315475845357938e-4,
  9.9457512781808534e-5,
  -4.4926236738133142e-5,
  2.0507212775670692e-5,
  -9.4394882752683959e-6,
  4.3748667899074878e-6,
  -2.0392157538013662e-6,
  9.5514121304074198e-7,
  -4.492469198764566e-7,
  2.1207184805554666e-7,
  -1.00432248239681e-7,
  4.7698101693639806e-8,
  -2.2711094608943165e-8,
  1.0838659214896954e-8,
  -5.1834750419700467e-9,
  2.4836745438024783e-9,
  -1.1921401405860912e-9,
  5.731367241678862e-10,
)

/** log Gamma(2 + t) for |t| <= 1/2. */
function aboutTwo(t: number): number {
  let sum = 0
  for (let term = TAYLOR.length - 1; term >= 0; term--) sum = (sum + TAYLOR[term]!) * t
  return t * (0.42278433509846714 + sum)
}
