/** Share of failures over queries drawn in clusters (one calibration set each), with its clustered standard error. */
export interface FailureRate {
  readonly rate: number
  readonly sigma: number
  readonly sets: number
  readonly draws: number
}

/** Queries that share a calibration set fail together, so the set is the unit of chance. */
export function failureRate(failuresPerSet: readonly number[], queriesPerSet: number): FailureRate {
  const sets = failuresPerSet.length
  const shares = failuresPerSet.map((failures) => failures / queriesPerSet)
  const rate = shares.reduce((sum, share) => sum + share, 0) / sets
  const variance = shares.reduce((sum, share) => sum + (share - rate) ** 2, 0) / (sets - 1)
  return { rate, sigma: Math.sqrt(variance / sets), sets, draws: sets * queriesPerSet }
}

/** The most a promise of `delta` may be seen to fail: four standard errors more. */
export function allowed(delta: number, { sigma }: FailureRate): number {
  return delta + 4 * sigma
}

export function inWords({ rate, sigma, draws, sets }: FailureRate): string {
  return `failed ${rate.toFixed(4)} +- ${sigma.toFixed(4)} of ${draws} draws over ${sets} sets`
}
