import { clopperPearsonInterval } from '../concentration/clopper-pearson.ts'
import type { Figure } from './evaluation.ts'

const CONFIDENCE = 0.95

/** Mean and spread of one value per split; null without values. */
export function figure(values: readonly number[]): Figure | null {
  if (values.length === 0) return null
  const min = values.reduce((least, value) => Math.min(least, value))
  const max = values.reduce((most, value) => Math.max(most, value))
  // Rounding may put the mean of ten times .1 slightly below .1, so the mean is clamped to the spread.
  const mean = Math.min(max, Math.max(min, meanOf(values)))
  return { mean, min, max, low: null, high: null }
}

/**
 * Rates with the interval that a single split would give, since overlapping splits are not a larger sample. `counts`
 * are the denominators; the interval uses their mean, at least 1.
 */
export function rateFigure(rates: readonly number[], counts: readonly number[]): Figure | null {
  const found = figure(rates)
  return found && { ...found, ...rateInterval(found.mean, Math.max(1, Math.round(meanOf(counts)))) }
}

/** The 95 % Clopper-Pearson interval of round(rate x count) successes among `count`; nulls if `count` is 0. */
export function rateInterval(rate: number, count: number): Pick<Figure, 'low' | 'high'> {
  if (count === 0) return { low: null, high: null }
  const { lower, upper } = clopperPearsonInterval(Math.round(rate * count), count, CONFIDENCE)
  return { low: lower, high: upper }
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
