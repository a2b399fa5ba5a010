import type { PolicyName } from './policy.ts'

/**
 * What a policy promises beforehand about wrong actions. `both`: with confidence, the total of this policy is within
 * beta and every class that it acts on is right at least at its floor. `each`: on average over calibration sets, the
 * total is within beta, and what is acted on in each cell or state is right at least as often as its threshold requires
 * (for k-NN under its assumptions). It is not a promise about a kind of debate. `total`: the total is within beta, on
 * average over calibration sets. `sure`: the total of this policy is within beta with probability 1 - delta. `none`: it
 * may keep a budget by luck.
 */
export type Promised = 'both' | 'each' | 'total' | 'sure' | 'none'

export function promiseOf(name: PolicyName): Promised {
  if (name === 'total') return 'both'
  if (name === 'cells' || name === 'tight' || name === 'paper') return 'each'
  if (name === 'conformal-risk-control' || name === 'conformal-risk-learned' || name === 'social-choice') return 'total'
  return name === 'learn-then-test' ? 'sure' : 'none'
}

/**
 * Display texts for a table. `sure` means with the declared confidence, for this policy. `average` means over
 * calibration sets drawn like this one, so a single policy may be above it.
 */
export const PROMISE_WORDS: Readonly<Record<Promised, string>> = Object.freeze({
  both: 'total and classes, sure',
  each: 'total and states, average',
  total: 'total, average',
  sure: 'total, sure',
  none: 'none',
})
