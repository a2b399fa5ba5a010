import type { ResolvedBudget } from '../budget.ts'
import type { Figure } from '../evaluation/evaluation.ts'
import type { TotalPromise } from '../total/promise.ts'
import type { LabelFloor, PlanProfile } from './label-floor.ts'
import type { TotalPlan } from './total-plan.ts'

/**
 * What labelled debates allow under a budget, and what is missing if they do not reach it. Every figure is an estimate
 * from certificates fitted on one half of the debates and tested on the other.
 */
export interface Plan {
  readonly profile: PlanProfile
  /** Labelled debates. */
  readonly n: number
  /** Debates that the certificate of a split was calibrated on. */
  readonly calibration: number
  /** Debates that it was tested on. */
  readonly heldOut: number
  readonly rounds: number
  /** One per split. */
  readonly seeds: readonly number[]
  /** The declared budget, with epsilon 0 for cells and `total`, which need none. */
  readonly budget: ResolvedBudget
  /** Whether at least half of the splits act on at least 1 % of their held-out debates. */
  readonly feasible: boolean
  /** Number of splits that act on at least 1 %. */
  readonly actingSplits: number
  readonly finalRound: FinalRound
  readonly floor: LabelFloor
  /** Figures at this beta; null if alpha is too small for any action. */
  readonly atBeta: OperatingFigures | null
  /** The smallest beta with this delta and epsilon that is `feasible`; null if there is none. */
  readonly smallestBeta: ReachedBeta | null
  /**
   * The same if all n labels are used for calibration. It is extrapolated from the learning curve, not tested. Null
   * beyond `scoreChangesAt`.
   */
  readonly smallestBetaOfAll: Estimate | null
  /**
   * A smaller delta that allows a smaller beta. It is only searched for if this beta is not reached; null if none
   * helps.
   */
  readonly otherSplit: OtherSplit | null
  /** Results with fewer labels, fewest first. The last point is `calibration`. */
  readonly curve: readonly CurvePoint[]
  /**
   * Number of labels from which on the score uses the beliefs of single agents, so the curve may change; null if it
   * never does.
   */
  readonly scoreChangesAt: number | null
  readonly labels: LabelsOutlook
  /** Round betas between the smallest reachable beta and this one, largest first, if this one is not reached. */
  readonly milestones: readonly Milestone[]
  /** What the profile `total` promises at this budget; null for the others. */
  readonly promise: TotalPromise | null
  /** Both dials of the profile `total`; null for the others, and if there are too few labels for a trial. */
  readonly total: TotalPlan | null
}

/** The policy that always acts on the answer of the last round. */
export interface FinalRound {
  readonly error: number
  /** 95 % Clopper-Pearson interval over all n. */
  readonly low: number
  readonly high: number
  /** Whether that error is within beta, so that always acting would be enough. */
  readonly meetsBudget: boolean
}

/**
 * Figures of one test half. `low` and `high` of a rate are the interval of one half for the given certificates.
 * Calibration sets vary more than that, so expect the range of `min` to `max` over splits.
 */
export interface OperatingFigures {
  readonly act: Figure
  /** Null if nothing was acted on. */
  readonly accuracy: Figure | null
  readonly wrongActions: Figure
  readonly roundsUsed: Figure
  readonly calls: Figure
}

/** The spread of a figure over the splits that have it. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
  /** Splits that have the figure. For the median, the others count as worse than all of these. */
  readonly splits: number
}

/** A beta that was tested in all splits together, to three decimals unless it is the declared one. */
export interface ReachedBeta {
  readonly beta: number
  /** The smallest and the largest beta that single splits reach. */
  readonly min: number
  readonly max: number
  /** Splits that reach any beta. */
  readonly splits: number
}

/**
 * An estimate from a fitted curve. `low` and `high` are the 10 % and 90 % points of refits to resampled halves of the
 * file.
 */
export interface Estimate {
  readonly value: number
  readonly low: number
  /** Null if too many refits have no curve. */
  readonly high: number | null
}

export interface OtherSplit {
  readonly delta: number
  readonly epsilon: number
  readonly smallestBeta: ReachedBeta
  /** Whether the declared beta is reached with this delta. */
  readonly reaches: boolean
}

/** An intermediate beta, with the delta and epsilon of its figures. */
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
  /** Share of held-out debates acted on at the declared beta; null if alpha is too small for any. */
  readonly act: Spread | null
}

/** The effect of more labels. */
export type LabelsOutlook =
  /** This beta is reached. `lastDoubling` is the effect of the last doubling of labels, in the same splits. */
  | { readonly kind: 'enough'; readonly lastDoubling: LastDoubling | null }
  /** Total labels from which on the curve is below beta. `high` is null if some refits never get there. */
  | {
      readonly kind: 'missing'
      readonly needed: number
      readonly low: number
      readonly high: number | null
      /** Lower end of every number given: more than were tried, which failed, and at least the floor. */
      readonly least: number
      /**
       * Labels beyond the available n. 0 means that all of them together may be enough, although that leaves none for
       * testing.
       */
      readonly missing: number
    }
  /** So many more than are available that the curve is no evidence. */
  | { readonly kind: 'far'; readonly moreThan: number }
  /** The curve would have to be read beyond `at` labels, where the score changes, or it has too few sizes beyond it. */
  | { readonly kind: 'score-changes'; readonly at: number }
  /**
   * Labels alone are not enough: beta leaves no alpha, neighbourhoods are too small, or the curve suggests that the
   * panel is not good enough.
   */
  | {
      readonly kind: 'unreachable'
      readonly reason: 'no-alpha' | 'neighbourhoods' | 'panel'
      /** The smallest beta with unlimited labels; null if beta leaves no alpha. */
      readonly limit: Estimate | null
    }
  /** Fewer labels than the floor. */
  | { readonly kind: 'too-few-labels' }
  /** The pilot debates are all right or all wrong, so no score can be learned from them. */
  | { readonly kind: 'one-kind' }
  /** Too few sizes reach any beta to fit a curve. */
  | { readonly kind: 'no-curve' }

export interface LastDoubling {
  readonly from: number
  readonly to: number
  /** Change of the share acted on, split by split. */
  readonly act: Spread
}
