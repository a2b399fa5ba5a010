import type { Spread } from './plan.ts'

/** Spread over splits; null if more than half of them have no value. */
export function spread(values: readonly (number | null)[]): Spread | null {
  const found = values.filter((value) => value !== null).sort((a, b) => a - b)
  const median = lowerMedian(values)
  if (median === null) return null
  return { median, min: found[0]!, max: found.at(-1)!, splits: found.length }
}

/** The smallest value that at least half of the splits do not exceed. A missing value counts as larger than all others. */
export function lowerMedian(values: readonly (number | null)[]): number | null {
  const found = values.filter((value) => value !== null).sort((a, b) => a - b)
  return found[Math.ceil(values.length / 2) - 1] ?? null
}

/** The value at a share of the sorted values, without interpolation, since refits may be infinite. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
}

/** Standard deviation of a sample; 0 if there are fewer than two values. */
export function deviation(values: readonly number[]): number {
  if (values.length < 2) return 0
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1))
}
