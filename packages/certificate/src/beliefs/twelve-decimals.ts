/**
 * The value to twelve decimals.
 *
 * Floating-point sums of the same numbers differ in their last bits: (.6 + .9 + .9) / 3 is not (.8 + .8 + .8) / 3.
 * Neighbours at distance 0 and tied predictions are found by comparing such numbers, and a bound that turned on the
 * sixteenth digit could not be recomputed elsewhere. Nothing an agent says is known to twelve decimals.
 */
export function twelveDecimals(value: number): number {
  return Math.round(value * UNITS) / UNITS
}

/**
 * Mean, to twelve decimals, of values that have twelve decimals each. Summed as whole numbers, which is exact: the mean
 * of two such values ends in a half unit every other time, and the last bit of a sum must not decide which way it goes.
 */
export function meanOfTwelveDecimals(values: readonly number[]): number {
  const units = values.reduce((sum, value) => sum + Math.round(value * UNITS), 0)
  return Math.round(units / values.length) / UNITS
}

const UNITS = 1e12
