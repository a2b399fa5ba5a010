import { stirlingError } from './stirling-error.ts'

/**
 * log of x^a y^b / B(a, b) with y = 1 - x: the factor in front of the incomplete beta function, and the density of
 * Beta(a, b) on the log-odds scale.
 *
 * It is computed as betaPeak(a, b) - betaDeviance(x, y, a, b): the value at the mean a / (a + b) and the loss away from
 * it. Both parts are free of the large terms that cancel in a log x + b log y - log B(a, b).
 */
export function betaPeak(a: number, b: number): number {
  const n = a + b
  return 0.5 * Math.log((a / n) * (b / (2 * Math.PI))) + stirlingError(n) - stirlingError(a) - stirlingError(b)
}

/**
 * a log(m / x) + b log((1 - m) / y) at the mean m = a / (a + b); never negative.
 *
 * Both `x` and `y` are given, so neither end of the unit interval loses digits. The first-order terms of the two
 * logarithms cancel exactly and are left out. What remains is a sum of two non-negative numbers.
 */
export function betaDeviance(x: number, y: number, a: number, b: number): number {
  const n = a + b
  const mean = a / n
  const otherMean = b / n
  const away = mean <= otherMean ? x - mean : otherMean - y
  return a * excess(away / mean, x / mean) + b * excess(-away / otherMean, y / otherMean)
}

/** t - log(1 + t), with 1 + t given separately because t loses its digits near -1. */
function excess(t: number, onePlusT: number): number {
  if (Math.abs(t) > 0.25) return t - Math.log(onePlusT)
  const v = t / (2 + t)
  const w = v * v
  const tail = 1 / 11 + w * (1 / 13 + w * (1 / 15 + w * (1 / 17 + w * (1 / 19 + w / 21))))
  return t * v - 2 * v * w * (1 / 3 + w * (1 / 5 + w * (1 / 7 + w * (1 / 9 + w * tail))))
}
