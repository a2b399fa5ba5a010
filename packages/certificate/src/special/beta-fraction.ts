/**
 * The continued fraction F with I_x(a, b) = x^a y^b / (B(a, b) F): DLMF 8.17.22 contracted to its even part (Didonato
 * and Morris 1992, TOMS 708, equation 12), by the modified Lentz algorithm.
 *
 * For x at most (a + 1) / (a + b + 2), where all terms are positive; otherwise the caller swaps the two ends. It needs
 * of the order of sqrt(a + b) terms near the mean and far fewer in the tail.
 */
export function betaFraction(x: number, y: number, a: number, b: number): number {
  const skew = a * y - b * x + 1
  const shrink = 1 + y
  let value = (a * skew) / (a + 1)
  let numerator = value
  let denominator = 0
  for (let m = 1; m < MAXIMUM_TERMS; m++) {
    const below = a + 2 * m - 1
    const ratio = (m * (b - m) * x) / below
    const above = ((a + m - 1) * (a + b + m - 1) * x * ratio) / below
    const here = m + ratio + ((a + m) * (skew + m * shrink)) / (below + 2)
    denominator = 1 / (here + above * denominator)
    numerator = here + above / numerator
    const change = numerator * denominator
    value *= change
    if (Math.abs(change - 1) < 2.3e-16) break
  }
  return value
}

/** Never reached below 10^9 trials. The limit ensures that no input can hang a caller. */
const MAXIMUM_TERMS = 1e6
