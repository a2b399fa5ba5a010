import { type Random, seededRandom } from '../../src/random.ts'

/** Share of failures over draws in clusters (one calibration set each), with its clustered standard error. */
export interface FailureRate {
  readonly rate: number
  readonly sigma: number
  readonly sets: number
  readonly draws: number
}

/**
 * Failures over draws, both per calibration set. Queries that share a set fail together, so the set is the independent
 * unit. If the number of draws varies (only debates that were tested count), the error is that of a ratio.
 */
export function failureRate(failures: readonly number[], draws: readonly number[]): FailureRate {
  const sets = failures.length
  const total = sum(draws)
  const rate = total === 0 ? 0 : sum(failures) / total
  const spread = sum(failures.map((failed, set) => (failed - rate * draws[set]!) ** 2))
  return { rate, sigma: total === 0 ? 0 : Math.sqrt((spread * sets) / (sets - 1)) / total, sets, draws: total }
}

/** Share of streams that fail, each a set of its own. */
export function streamRate(streams: number, seed: number, fails: (random: Random) => boolean): FailureRate {
  const random = seededRandom(seed)
  const failures = Array.from({ length: streams }, () => (fails(random) ? 1 : 0))
  return failureRate(failures, new Array<number>(streams).fill(1))
}

/** The largest observed failure rate that is compatible with `delta`: four standard errors more. */
export function allowed(delta: number, { sigma }: FailureRate): number {
  return delta + 4 * sigma
}

export function inWords({ rate, sigma, draws, sets }: FailureRate): string {
  return `failed ${rate.toFixed(4)} +- ${sigma.toFixed(4)} of ${draws} draws over ${sets} sets`
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
