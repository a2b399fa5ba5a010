import type { Profile } from '../certificate/calibrate.ts'
import type { TotalPromise } from '../total/promise.ts'

/** Checks that can contradict the assumptions of a certificate and never prove them. */
export interface Audit {
  readonly profile: Profile
  readonly beta: number
  readonly delta: number
  readonly epsilon: number
  readonly threshold: number
  /** The promise of the profile `total`; null for the others. */
  readonly promise: TotalPromise | null
  /** Debates that the certificate was calibrated on. */
  readonly calibration: number
  /** Debates kept aside to test it. */
  readonly heldOut: number
  readonly rounds: number
  readonly seed: number
  /** Falsified if any check is. */
  readonly verdict: Verdict
  readonly checks: readonly Check[]
  /** Figures that the paper reports and that test nothing. */
  readonly measures: readonly Measure[]
}

export type Verdict = 'falsified' | 'not falsified' | 'not enough data'

/** One assumption against held-out labels. Its rows join one Holm family with the rows of all other checks. */
export interface Check {
  readonly name: CheckName
  /** The assumption, in plain words. */
  readonly assumption: string
  /** What must hold if the assumption does. The p-value is computed under this. */
  readonly null: string
  readonly verdict: Verdict
  /** The smallest of the rows; null if no row can be tested. */
  readonly pValue: number | null
  readonly adjustedPValue: number | null
  readonly rows: readonly CheckRow[]
  /** What was seen, in one sentence. */
  readonly finding: string
  /** What to do about it. */
  readonly next: string
}

export type CheckName =
  | 'total'
  | 'classes'
  | 'kinds'
  | 'stopping-rounds'
  | 'groups'
  | 'bound-calibration'
  | 'smoothness'
  | 'representation-gap'
  | 'exchangeability-permutation'
  | 'exchangeability-martingale'

/**
 * One place where the assumption was tested: a round, a group, a bin or a region. Names come from files and are not
 * trusted.
 */
export interface CheckRow {
  readonly name: string
  /** Held-out labels counted; null where the row counts something else. */
  readonly n: number | null
  /** The observed value, with its 95 % interval if it is a rate. */
  readonly figure: number | null
  readonly low: number | null
  readonly high: number | null
  /** The least value that the null allows for the figure. */
  readonly line: number | null
  /** Null if there is too little data to contradict anything. */
  readonly pValue: number | null
  readonly adjustedPValue: number | null
}

export interface Measure {
  readonly name: string
  readonly meaning: string
  readonly rows: readonly { readonly name: string; readonly n: number | null; readonly value: number | null }[]
}
