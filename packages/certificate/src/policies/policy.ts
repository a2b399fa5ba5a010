import type { Budget } from '../budget.ts'
import type { LocalOptions } from '../certificate/calibrate.ts'
import type { Panels, ReadPanel } from '../certificate/panel.ts'

/** What a budget makes of a policy, in numbers. */
export type Tuning = Omit<TunedPolicy, 'actsAt'>

/** Of a rule that promises nothing and compares nothing. */
export const UNTUNED: Tuning = Object.freeze({ delta: null, epsilon: null, threshold: null })

/** In the order in which they are listed: ours, its ablations, risk control, heuristics, always, and the unreachable. */
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
 * A rule that sees a debate round by round and acts on the panel's answer, goes on, or after the last round defers. Ours
 * and every baseline are fitted and tuned on training debates only and are compared by one evaluator.
 */
export interface Policy {
  readonly name: PolicyName
  /** What it does and on what ground, in one sentence. */
  readonly summary: string
  fit(train: Panels, options: PolicyOptions): FittedPolicy | Unfit
}

export interface PolicyOptions {
  /** Of whatever the policy draws: pilot rows, folds. An integer in [0, 2^32). */
  readonly seed: number
  /** Key of the question that a debate is a run of, beside `question_of` of the debates. */
  readonly questionOf?: (id: string) => string
  /** Certificates decide each question from the rows of its own group; other policies have no such form. */
  readonly groupConditional?: boolean
  /** For the policies that look at neighbourhoods: tight, paper and the ablations of paper. */
  readonly local?: LocalOptions
}

/** The training debates do not allow this policy, for a reason that a user can read. */
export interface Unfit {
  readonly kind: 'unfit'
  readonly reason: string
}

export interface FittedPolicy {
  readonly kind: 'fitted'
  /** The rule tuned for a budget. */
  at(budget: Budget): TunedPolicy
  /** Stored debates with every round held, scored once and decided under any budget: what `at(budget)` would do. */
  replay(debates: Panels): PolicyReplay
}

export interface TunedPolicy {
  /** What the rule reserves for an unlucky calibration set; null where it makes no such promise. */
  readonly delta: number | null
  /** What it reserves for what its state forgets; null likewise. */
  readonly epsilon: number | null
  /** What its score is compared with; null where it has none, or where no threshold kept the budget in training. */
  readonly threshold: number | null
  /** Whether it acts at this round (from 1) of a debate on which it has not acted before; later rounds are not read. */
  actsAt(panel: ReadPanel, round: number): boolean
}

export interface PolicyReplay {
  /** Round of the action, 0 for a deferral. */
  at(budget: Budget): PolicyActions
}

export interface PolicyActions extends Omit<TunedPolicy, 'actsAt'> {
  readonly actedAt: Uint8Array
}
