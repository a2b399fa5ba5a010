import type { TotalPromise } from '../total/promise.ts'
import type { PolicyName } from './policy.ts'

/**
 * What a policy promises beforehand about wrong actions. `both`: with confidence, the total of this policy is within
 * beta and every class that it acts on is right at least at its floor. `each`: averaged over calibration sets, the
 * total is within beta. For cells, one that is right less often than its threshold requires acts with probability at
 * most its level, and averaged over calibration sets at most beta of the debates that reach a cell are acted on there
 * and wrong. For k-NN the same is about a state, under its assumptions. It is not a promise about a kind of debate.
 * `total`: the total is within beta, on average over calibration sets. `sure`: the total of this policy is within beta
 * with probability at least 1 - delta. `classes`: the total as for `total`, the classes as for `both`. `selective`: with
 * confidence, at most beta of what this policy acts on is wrong. `none`: it may keep a budget by luck.
 */
export type Promised = 'both' | 'classes' | 'each' | 'total' | 'sure' | 'selective' | 'none'

/** Of every policy but `total`, whose promise is declared. */
const PROMISES: Readonly<Record<Exclude<PolicyName, 'total'>, Promised>> = {
  cells: 'each',
  tight: 'each',
  paper: 'each',
  'knn-no-envelope': 'none',
  'final-round': 'none',
  'conformal-risk-control': 'total',
  'conformal-risk-learned': 'total',
  'learn-then-test': 'sure',
  'social-choice': 'total',
  'selective-prediction': 'none',
  'calibrated-learned': 'none',
  'isotonic-confidence': 'none',
  consensus: 'none',
  'confidence-threshold': 'none',
  'learned-stopper': 'none',
  'majority-final': 'none',
  'majority-first': 'none',
  oracle: 'none',
}

/** `declared` is the promise of the policy `total`, by default the usual one with a floor. */
export function promiseOf(name: PolicyName, declared?: Pick<TotalPromise, 'kind' | 'floor'>): Promised {
  return name === 'total' ? promiseOfTotal(declared) : PROMISES[name]
}

function promiseOfTotal(declared?: Pick<TotalPromise, 'kind' | 'floor'>): Promised {
  const { kind, floor } = declared ?? USUAL
  if (kind === 'selective') return 'selective'
  if (kind === 'average') return floor === null ? 'total' : 'classes'
  return floor === null ? 'sure' : 'both'
}

const USUAL = Object.freeze({ kind: 'pac', floor: 0 })

/**
 * Display texts for a table. `sure` means with the declared confidence, for this policy. `average` means over
 * calibration sets drawn like this one, so a single policy may be above it.
 */
export const PROMISE_WORDS: Readonly<Record<Promised, string>> = Object.freeze({
  both: 'total and classes, sure',
  classes: 'total average, classes sure',
  each: 'total and states, average',
  total: 'total, average',
  sure: 'total, sure',
  selective: 'of those acted on, sure',
  none: 'none',
})
