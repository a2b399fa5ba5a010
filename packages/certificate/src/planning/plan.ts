import type { ResolvedBudget } from '../budget.ts'
import type { Figure } from '../evaluation/evaluation.ts'
import type { LabelFloor, PlanProfile } from './label-floor.ts'
import type { TotalPlan } from './total-plan.ts'

/**
 * What labelled debates allow under a budget, and what is missing where they do not. Every figure is an estimate from
 * certificates fitted on one half of the debates and tried on the other.
 */
export interface Plan {
  readonly profile: PlanProfile
  /** Labelled debates. */
  readonly n: number
  /** Of these, debates that a certificate of a split was made from, and debates it was tried on. */
  readonly calibration: number
  readonly heldOut: number
  readonly rounds: number
  /** One per split. */
  readonly seeds: readonly number[]
  /** As declared; with epsilon 0 for cells, which need none. */
  readonly budget: ResolvedBudget
  /** Whether in at least half of the splits at least 1 % of the held-out debates are acted on. */
  readonly feasible: boolean
  /** Splits that act on so many. */
  readonly actingSplits: number
  readonly finalRound: FinalRound
  readonly floor: LabelFloor
  /** At this beta; null when alpha is too small for any action. */
  readonly atBeta: OperatingFigures | null
  /** The smallest beta with this delta and epsilon at which the splits act as `feasible` asks; null when none does. */
  readonly smallestBeta: ReachedBeta | null
  /** The same if all n labels are calibrated on: read off the learning curve, not tried. Null beyond `scoreChangesAt`. */
  readonly smallestBetaOfAll: Estimate | null
  /** A smaller delta that allows a smaller beta; only looked for where this beta is not reached, null when none helps. */
  readonly otherSplit: OtherSplit | null
  /** Calibrated on less and less, fewest labels first; the last is `calibration`. */
  readonly curve: readonly CurvePoint[]
  /** Labels from which on the score sees who said what, and the curve may change; null where it never does. */
  readonly scoreChangesAt: number | null
  readonly labels: LabelsOutlook
  /** Round betas between the smallest reachable and this one, largest first, where this one is not reached. */
  readonly milestones: readonly Milestone[]
  /** Both dials of the profile total; null for the others, and where there are too few labels to try any. */
  readonly total: TotalPlan | null
}

/** Always acting on the answer of the last round. */
export interface FinalRound {
  readonly error: number
  /** 95 % Clopper-Pearson interval over all n. */
  readonly low: number
  readonly high: number
  /** Whether that error is within beta: always acting would then do. */
  readonly meetsBudget: boolean
}

/**
 * On one test half. `low` and `high` of a rate are the interval of one half for certificates as they are; calibration
 * sets vary more than that, so `min` and `max` over splits are what to expect.
 */
export interface OperatingFigures {
  readonly act: Figure
  /** Null when nothing was acted on. */
  readonly accuracy: Figure | null
  readonly wrongActions: Figure
  readonly roundsUsed: Figure
  readonly calls: Figure
}

/** Over the splits that have the figure. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
  /** Splits that have it; the median counts the others as worse than all of them. */
  readonly splits: number
}

/** A beta that was tried in all splits together, to three decimals unless it is the declared one. */
export interface ReachedBeta {
  readonly beta: number
  /** The smallest and the largest of what each split reaches alone. */
  readonly min: number
  readonly max: number
  /** Splits that reach any beta. */
  readonly splits: number
}

/** From a fitted curve; `low` and `high` are the 10 % and 90 % points of refits to resampled halves of the file. */
export interface Estimate {
  readonly value: number
  readonly low: number
  /** Null where too many refits have no curve. */
  readonly high: number | null
}

export interface OtherSplit {
  readonly delta: number
  readonly epsilon: number
  readonly smallestBeta: ReachedBeta
  /** Whether the declared beta is reached with it. */
  readonly reaches: boolean
}

/** A beta on the way, with the split of it that the figures are for. */
export interface Milestone {
  readonly beta: number
  readonly delta: number
  readonly epsilon: number
  readonly labels: LabelsOutlook
}

export interface CurvePoint {
  /** Labels that the certificate was made from. */
  readonly labels: number
  readonly smallestBeta: ReachedBeta | null
  /** Share of held-out debates acted on at the declared beta; null when alpha is too small for any. */
  readonly act: Spread | null
}

/** What more labels would do. */
export type LabelsOutlook =
  /** This beta is reached. `lastDoubling`: what twice the labels brought last, in the same splits. */
  | { readonly kind: 'enough'; readonly lastDoubling: LastDoubling | null }
  /** Labels in all from which on the curve is below beta; `high` is null where some refits never get there. */
  | {
      readonly kind: 'missing'
      readonly needed: number
      readonly low: number
      readonly high: number | null
      /** Known to be needed: more than were tried, and the floor. */
      readonly least: number
      /** Beyond the n there are; 0: all of them together may do, though that leaves none to try it on. */
      readonly missing: number
    }
  /** So many more than there are that the curve is no evidence. */
  | { readonly kind: 'far'; readonly moreThan: number }
  /** The curve would have to be read beyond `at` labels, where the score changes, or has too few sizes beyond it. */
  | { readonly kind: 'score-changes'; readonly at: number }
  /** Labels alone will not do: beta leaves no alpha, neighbourhoods are too small, or, by the curve, probably. */
  | {
      readonly kind: 'unreachable'
      readonly reason: 'no-alpha' | 'neighbourhoods' | 'panel'
      /** The smallest beta of endlessly many labels; null where beta leaves no alpha. */
      readonly limit: Estimate | null
    }
  /** Fewer labels than the floor. */
  | { readonly kind: 'too-few-labels' }
  /** The pilot debates are all right, or all wrong: no score can be learned from them. */
  | { readonly kind: 'one-kind' }
  /** Too few sizes reach any beta to draw a curve through. */
  | { readonly kind: 'no-curve' }

export interface LastDoubling {
  readonly from: number
  readonly to: number
  /** Change of the share acted on, split by split. */
  readonly act: Spread
}
