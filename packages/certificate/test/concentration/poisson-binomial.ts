/** Exact distribution of the number of successes of independent trials with these means. */
export function poissonBinomial(means: readonly number[]): Float64Array {
  const mass = new Float64Array(means.length + 1)
  mass[0] = 1
  for (const [trial, mean] of means.entries()) {
    for (let s = trial + 1; s > 0; s--) mass[s] = mass[s]! * (1 - mean) + mass[s - 1]! * mean
    mass[0] = mass[0]! * (1 - mean)
  }
  return mass
}

/** Exact probability that a lower bound exceeds the average of the means. */
export function failure(means: readonly number[], lower: (successes: number, count: number) => number): number {
  const average = means.reduce((sum, mean) => sum + mean, 0) / means.length
  let total = 0
  for (const [successes, mass] of poissonBinomial(means).entries()) {
    // A bound equal to the average up to rounding is not above it.
    if (lower(successes, means.length) > average * (1 + 1e-12)) total += mass
  }
  return total
}
