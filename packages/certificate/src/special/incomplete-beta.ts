import { CertificateError } from '../certificate-error.ts'
import { betaFraction } from './beta-fraction.ts'
import { betaDeviance, betaPeak } from './beta-kernel.ts'

/** I_x(a, b): the probability that a Beta(a, b) variable is at most x; also P(Bin(a + b - 1, x) >= a). */
export function incompleteBeta(x: number, a: number, b: number): number {
  check('incompleteBeta', x, a, b)
  return lowerTail(x, 1 - x, a, b)
}

/** 1 - I_x(a, b) without cancellation, so it keeps its digits when I_x(a, b) rounds to 1. */
export function incompleteBetaComplement(x: number, a: number, b: number): number {
  check('incompleteBetaComplement', x, a, b)
  return lowerTail(1 - x, x, b, a)
}

function check(where: string, x: number, a: number, b: number): void {
  if (!(x >= 0 && x <= 1)) throw new CertificateError(where, 'x', 'in [0, 1]', x)
  if (!(a > 0 && a < Infinity)) throw new CertificateError(where, 'a', 'greater than 0 and finite', a)
  if (!(b > 0 && b < Infinity)) throw new CertificateError(where, 'b', 'greater than 0 and finite', b)
}

function lowerTail(x: number, y: number, a: number, b: number): number {
  if (x === 0 || y === 0) return x
  const kernel = Math.exp(betaPeak(a, b) - betaDeviance(x, y, a, b))
  if (x * (a + b + 2) <= a + 1) return kernel / betaFraction(x, y, a, b)
  return 1 - kernel / betaFraction(y, x, b, a)
}
