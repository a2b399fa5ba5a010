import type { PolicyName } from './policy.ts'

/**
 * What a policy promises beforehand about wrong actions. `both`: with confidence, the total of this policy is within
 * beta and every class that it acts on is right at least at its floor. `each`: averaged over calibration sets, the
 * total is within beta. For cells, one that is right less often than its threshold requires acts with probability at
 * most its level, and averaged over calibration sets at most beta of the debates that reach a cell are acted on there
 * and wrong. For k-NN the same is about a state, under its assumptions. It is not a promise about a kind of debate.
 * `total`: the total is within beta, on average over calibration sets. `sure`: the total of this policy is within beta
 * with probability at least 1 - delta. `none`: it may keep a budget by luck.
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
