import type { Budget } from '../budget.ts'
import type { LocalOptions } from '../certificate/calibrate.ts'
import type { ReadDebate, ReadDebates } from '../certificate/read-debates.ts'

/** The numbers of a policy that is tuned for a budget. */
export type Tuning = Omit<TunedPolicy, 'actsAt'>

/** For a rule without a promise and without a threshold. */
export const UNTUNED: Tuning = Object.freeze({ delta: null, epsilon: null, threshold: null })

/** In listing order: ours, ablations, risk control, heuristics, always acting, and the oracle. */
export const POLICY_NAMES = [
  'total',
  'cells',
  'tight',
  'paper',
  'knn-no-envelope',
  'final-round',
  'conformal-risk-control',
  'conformal-risk-learned',
  'learn-then-test',
  'social-choice',
  'selective-prediction',
  'calibrated-learned',
  'isotonic-confidence',
  'consensus',
  'confidence-threshold',
  'learned-stopper',
  'majority-final',
  'majority-first',
  'oracle',
] as const

export type PolicyName = (typeof POLICY_NAMES)[number]

/**
 * A rule that sees a debate round by round and acts on the panel's answer, continues, or defers after the last round.
 * Ours and every baseline are fitted and tuned on training debates only and are compared by one evaluator.
 */
export interface Policy {
  readonly name: PolicyName
  /** What it does and why, in one sentence. */
  readonly summary: string
  fit(train: ReadDebates, options: PolicyOptions): FittedPolicy | Unfit
}

export interface PolicyOptions {
  /** Seed of the policy's random choices (pilot rows, folds): an integer in [0, 2^32). */
  readonly seed: number
  /** Key of the question that a debate is a run of, in addition to `question_of` of the debates. */
  readonly questionOf?: (id: string) => string
  /** Certificates decide each question from the rows of its own group. Other policies ignore this. */
  readonly groupConditional?: boolean
  /** For the policies that use neighbourhoods: `tight`, `paper` and the ablations of `paper`. */
  readonly local?: LocalOptions
}

/** The policy cannot be fitted on the training debates, for a reason that a user can read. */
export interface Unfit {
  readonly kind: 'unfit'
  readonly reason: string
}

export interface FittedPolicy {
  readonly kind: 'fitted'
  /** The rule tuned for a budget. */
  at(budget: Budget): TunedPolicy
  /** Scores stored debates with every round once and decides them under any budget, as `at(budget)` would. */
  replay(debates: ReadDebates): PolicyReplay
}

export interface TunedPolicy {
  /** What the rule reserves for an unlucky calibration set; null if it makes no such promise. */
  readonly delta: number | null
  /** What it reserves for the information that its state loses; null if it makes no such promise. */
  readonly epsilon: number | null
  /** What its score is compared with; null if it has none, or if no threshold kept the budget in training. */
  readonly threshold: number | null
  /** Whether it acts at this round (from 1) of a debate on which it has not acted before. Later rounds are not used. */
  actsAt(debate: ReadDebate, round: number): boolean
}

export interface PolicyReplay {
  /** The actions under a budget. */
  at(budget: Budget): PolicyActions
}

export interface PolicyActions extends Tuning {
  /** Round of the action of each debate, from 1; 0 for a deferral, because an array of bytes has no null. */
  readonly actedAt: Uint8Array
}
