import { CertificateError } from '../certificate-error.ts'
import { betaFraction } from './beta-fraction.ts'
import { betaDeviance, betaPeak } from './beta-kernel.ts'
import { normalQuantile } from './normal-quantile.ts'

/** x with I_x(a, b) = level, for shapes of at least 1; relative error below 1e-12 for shapes up to 10^6. */
export function betaQuantile(level: number, a: number, b: number): number {
  return 1 / (1 + Math.exp(-logOdds('betaQuantile', level, a, b)))
}

/** 1 - betaQuantile(level, a, b) without cancellation. */
export function betaQuantileComplement(level: number, a: number, b: number): number {
  return 1 / (1 + Math.exp(logOdds('betaQuantileComplement', level, a, b)))
}

/** Solves for the log-odds: on that scale both ends of the unit interval keep their digits, and no step can leave it. */
function logOdds(where: string, level: number, a: number, b: number): number {
  if (!(level > 0 && level < 1)) throw new CertificateError(where, 'level', 'in (0, 1)', level)
  if (!(a >= 1 && a < Infinity)) throw new CertificateError(where, 'a', 'at least 1 and finite', a)
  if (!(b >= 1 && b < Infinity)) throw new CertificateError(where, 'b', 'at least 1 and finite', b)
  if (level > 0.5) return -lowerHalf(1 - level, b, a)
  return lowerHalf(level, a, b)
}

function lowerHalf(level: number, a: number, b: number): number {
  if (a === 1) return logOddsBelow(Math.log1p(-level) / b)
  if (b === 1) return -logOddsBelow(Math.log(level) / a)
  return solve(Math.log(level), start(level, a, b), a, b)
}

/** Log-odds of x when log(1 - x) is known. */
function logOddsBelow(logComplement: number): number {
  return Math.log(-Math.expm1(logComplement)) - logComplement
}

/** Carter's approximation (Abramowitz and Stegun 26.5.22), off by some hundredths of a standard deviation. */
function start(level: number, a: number, b: number): number {
  const z = -normalQuantile(level)
  const [inverseA, inverseB] = [1 / (2 * a - 1), 1 / (2 * b - 1)]
  const h = 2 / (inverseA + inverseB)
  const lambda = (z * z - 3) / 6
  const w = (z * Math.sqrt(h + lambda)) / h - (inverseB - inverseA) * (lambda + 5 / 6 - 2 / (3 * h))
  const guess = Math.log(a / b) - 2 * w
  return Number.isFinite(guess) ? guess : Math.log(a / b)
}

/**
 * The root of f(u) = log I - log level by Householder's third-order step, guarded.
 *
 * On the log-odds scale the density exp(kernel) is log-concave, hence so is I: f is concave and increasing, Newton's
 * step from anywhere lands at or below the root and converges. A Householder step that leaves the bracket known so far
 * is replaced by Newton's, and that one, should it leave it too, by the middle.
 */
function solve(logLevel: number, guess: number, a: number, b: number): number {
  const peak = betaPeak(a, b)
  let [low, high, u] = [-Infinity, Infinity, guess]
  for (let iteration = 0; iteration < 100; iteration++) {
    const odds = Math.exp(u)
    const y = 1 / (1 + odds)
    const x = odds * y
    const kernel = peak - betaDeviance(x, y, a, b)
    let logTail: number
    let slope: number
    if (x * (a + b + 2) <= a + 1) {
      slope = betaFraction(x, y, a, b)
      logTail = kernel - Math.log(slope)
    } else {
      const density = Math.exp(kernel)
      const tail = 1 - density / betaFraction(y, x, b, a)
      slope = density / tail
      logTail = Math.log(tail)
    }
    const newton = (logTail - logLevel) / slope
    if (newton > 0) high = u
    else low = u
    const bend = a * y - b * x - slope
    const twist = bend * bend - (a + b) * x * y - slope * bend
    let next = u - (newton * (1 - 0.5 * newton * bend)) / (1 - newton * bend + (newton * newton * twist) / 6)
    if (!(next >= low && next <= high)) next = u - newton
    if (!(next >= low && next <= high)) next = 0.5 * (low + high)
    const step = Math.abs(next - u)
    u = next
    // The step was of fourth order: the remaining error is about the fourth power of a step measured in standard
    // deviations.
    if (!(step * Math.max(slope, Math.sqrt((a + b) * x * y)) > 1e-4)) break
  }
  return u
}
