import { clopperPearsonInterval } from '../concentration/clopper-pearson.ts'
import type { Figure } from './evaluation.ts'

const CONFIDENCE = 0.95

/** One value for each split as mean and spread; null without values. */
export function figure(values: readonly number[]): Figure | null {
  if (values.length === 0) return null
  const min = values.reduce((least, value) => Math.min(least, value))
  const max = values.reduce((most, value) => Math.max(most, value))
  // Ten times .1 over ten is a hair below .1: a mean stays within its spread.
  const mean = Math.min(max, Math.max(min, meanOf(values)))
  return { mean, min, max, low: null, high: null }
}

/**
 * Rates with the interval that a single split would give: splits overlap, so together they are no larger sample.
 * `counts` are their denominators; the interval counts the mean of them, at least 1.
 */
export function rateFigure(rates: readonly number[], counts: readonly number[]): Figure | null {
  const found = figure(rates)
  return found && { ...found, ...rateInterval(found.mean, Math.max(1, Math.round(meanOf(counts)))) }
}

/** The 95 % Clopper-Pearson interval of round(rate x count) successes among `count`; nulls when that is none. */
export function rateInterval(rate: number, count: number): Pick<Figure, 'low' | 'high'> {
  if (count === 0) return { low: null, high: null }
  const { lower, upper } = clopperPearsonInterval(Math.round(rate * count), count, CONFIDENCE)
  return { low: lower, high: upper }
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
