import type { PolicyName } from './policy.ts'

/**
 * What a policy promises of wrong actions beforehand. `both`: with confidence, the total of this very policy is within beta
 * and every class that it acts on is right at least at its floor. `each`: every kind of debate that it acts on is right as often as its
 * line says, and so the total is within beta, on average over calibration sets. `total`: the total is, on average. `sure`:
 * the total of this very policy is, with probability 1 - delta. `none`: it may keep a budget by luck.
 */
export type Promised = 'both' | 'each' | 'total' | 'sure' | 'none'

export function promiseOf(name: PolicyName): Promised {
  if (name === 'total') return 'both'
  if (name === 'cells' || name === 'tight' || name === 'paper') return 'each'
  if (name === 'conformal-risk-control' || name === 'conformal-risk-learned' || name === 'social-choice') return 'total'
  return name === 'learn-then-test' ? 'sure' : 'none'
}

/**
 * In words for a table. `sure`: with the declared confidence, for this very policy. `average`: over calibration sets drawn like
 * the one at hand, so that one policy may be above it.
 */
export const PROMISE_WORDS: Readonly<Record<Promised, string>> = Object.freeze({
  both: 'total and classes, sure',
  each: 'total and states, average',
  total: 'total, average',
  sure: 'total, sure',
  none: 'none',
})
