/** Indices, rising, of the values that are as good as the largest. Empty when there is no largest: no values, or NaN. */
export function tiedMaxima(values: ArrayLike<number>): number[] {
  let largest = -Infinity
  for (let index = 0; index < values.length; index++) largest = Math.max(largest, values[index]!)
  const indices: number[] = []
  for (let index = 0; index < values.length; index++) if (largest - values[index]! <= TIE) indices.push(index)
  return indices
}

/**
 * Social probabilities have twelve decimals, so two that are equal on paper differ by one unit of the twelfth at most;
 * the half above it is room for what binary cannot write exactly.
 */
const TIE = 1.5e-12
