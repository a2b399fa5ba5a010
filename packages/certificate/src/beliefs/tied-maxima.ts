/** Indices, rising, of the values that are as good as the largest. Empty when there is no largest: no values, or NaN. */
export function tiedMaxima(values: ArrayLike<number>): number[] {
  const indices = Array.from({ length: values.length }, (_, index) => index)
  const largest = indices.reduce((most, index) => Math.max(most, values[index]!), -Infinity)
  return indices.filter((index) => largest - values[index]! <= TIE)
}

/**
 * Social probabilities have twelve decimals, so two that are equal on paper differ by one unit of the twelfth at most;
 * the half above it is room for what binary cannot write exactly.
 */
const TIE = 1.5e-12
