/** Ascending indices of the values that tie with the largest. Empty if there is no largest: no values, or a NaN. */
export function tiedMaxima(values: ArrayLike<number>): number[] {
  let largest = -Infinity
  for (let index = 0; index < values.length; index++) largest = Math.max(largest, values[index]!)
  const indices: number[] = []
  for (let index = 0; index < values.length; index++) if (largest - values[index]! <= TIE) indices.push(index)
  return indices
}

/**
 * Social probabilities are rounded to twelve decimals, so two that are mathematically equal differ by at most one unit
 * of the twelfth. The extra half unit allows for values that binary cannot represent exactly.
 */
const TIE = 1.5e-12
