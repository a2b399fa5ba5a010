/**
 * The value rounded to twelve decimals.
 *
 * Floating-point sums that are mathematically equal can differ in their last bits: (.6 + .9 + .9) / 3 is not
 * (.8 + .8 + .8) / 3. Neighbours at distance 0 and tied predictions are found by comparing such numbers, and a bound
 * that depended on the sixteenth digit could not be reproduced elsewhere. No belief of an agent is meaningful to twelve
 * decimals.
 */
export function twelveDecimals(value: number): number {
  return Math.round(value * UNITS) / UNITS
}

/**
 * Mean, rounded to twelve decimals, of values that have twelve decimals each. The values are summed as whole numbers,
 * which is exact. The mean of two such values ends in half a unit every other time, and the last bit of a sum must not
 * decide how it is rounded.
 */
export function meanOfTwelveDecimals(values: readonly number[]): number {
  const units = values.reduce((sum, value) => sum + Math.round(value * UNITS), 0)
  return Math.round(units / values.length) / UNITS
}

const UNITS = 1e12
