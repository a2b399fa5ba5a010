import { clopperPearsonLower } from '../concentration/clopper-pearson.ts'
import { empiricalBernsteinLower } from '../concentration/empirical-bernstein.ts'
import { hoeffdingLower } from '../concentration/hoeffding.ts'
import type { Concentration } from './knn-options.ts'

/** A lower confidence bound on the mean correctness of a neighbourhood, which is one of `looks` tests at this query. */
export type Confidence = (successes: number, count: number, looks: number) => number

export interface ConfidenceOptions {
  readonly concentration: Concentration
  /** The paper's plug-in variance, or the unbiased variance that the theorem of Maurer and Pontil needs. */
  readonly variance: 'paper' | 'unbiased'
  /** Failure probability of one round, divided among its looks. */
  readonly failure: number
}

const REMEMBERED = 2 ** 17
/**
 * For unequal means, Clopper-Pearson is proved only for levels below 1/4. A level smaller than requested is always
 * valid.
 */
const LARGEST_LEVEL = 0.2499

export function confidence({ concentration, variance, failure }: ConfidenceOptions): Confidence {
  if (concentration === 'hoeffding') {
    return (successes, count, looks) => hoeffdingLower(successes, count, failure / looks)
  }
  if (concentration === 'empirical-bernstein') {
    return (successes, count, looks) =>
      // One row has no sample variance, so the bound says nothing.
      count === 1 ? -Infinity : empiricalBernsteinLower(successes, count, failure / looks, variance)
  }
  return remembered((successes, count, looks) =>
    clopperPearsonLower(successes, count, Math.min(failure / looks, LARGEST_LEVEL)),
  )
}

/** Caches bounds: a beta quantile takes microseconds, and nearly every query repeats the same few counts. */
function remembered(bound: Confidence): Confidence {
  const known = new Map<number, number>()
  return (successes, count, looks) => {
    const key = (count * 2 ** 23 + successes) * 64 + looks - 1
    const before = known.get(key)
    if (before !== undefined) return before
    const value = bound(successes, count, looks)
    if (count < 2 ** 23) {
      if (known.size >= REMEMBERED) known.clear()
      known.set(key, value)
    }
    return value
  }
}
