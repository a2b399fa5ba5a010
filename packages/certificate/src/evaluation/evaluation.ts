import type { Kind } from '../kinds/kind.ts'
import type { PolicyName } from '../policies/policy.ts'

/** What each policy would have done on held-out debates, over random halves of one file. */
export interface Evaluation {
  /** Labelled debates. */
  readonly n: number
  readonly rounds: number
  readonly beta: number
  /** Share of right answers that every kind of debate is judged by, whatever the policy promises. */
  readonly floor: number
  /** One per split. */
  readonly seeds: readonly number[]
  /** Policies that could not be fitted, and why. */
  readonly skipped: readonly { readonly name: PolicyName; readonly reason: string }[]
  readonly policies: readonly EvaluatedPolicy[]
  /**
   * Rules without a bound, each at the round cap whose mean calls are nearest to those of the first policy of ours.
   * They need not be near: consensus stops early whatever the cap.
   */
  readonly computeMatched: readonly ComputeMatched[]
  /**
   * Every group decided by policies fitted on the other groups; null if that was not requested or there are too few
   * groups.
   */
  readonly shift: Shift | null
}

/** Results in groups that were left out of calibration. The promise is only about the population that was calibrated on. */
export interface Shift {
  /**
   * Whether questions are shared between groups. Policies were then fitted on one half of the questions and tested on
   * the other half.
   */
  readonly isHalved: boolean
  readonly policies: readonly {
    readonly name: PolicyName
    /** Number of groups in which more than beta was acted on and wrong. */
    readonly groupsOver: number
    /** Budget used in the worst group. */
    readonly worstBudgetUsed: number
    readonly groups: readonly GroupShift[]
  }[]
}

/** One group, decided once by a policy that saw none of its labels. */
export interface GroupShift {
  readonly group: string
  /** Debates decided. */
  readonly n: number
  readonly acted: number
  readonly right: number
  /** acted / n. */
  readonly act: number
  /** right / acted; null if nothing was acted on. */
  readonly accuracy: number | null
  /** Share of the n acted on and wrong, with its 95 % Clopper-Pearson interval. */
  readonly wrongActions: number
  readonly low: number | null
  readonly high: number | null
  /** wrongActions / beta. */
  readonly budgetUsed: number
  readonly isOver: boolean
}

/**
 * A figure over splits. Ten overlapping splits are not ten samples: `min` and `max` are their spread, and `low` and
 * `high` are the 95 % Clopper-Pearson interval of one test half, null if the figure is not a rate.
 */
export interface Figure {
  readonly mean: number
  readonly min: number
  readonly max: number
  readonly low: number | null
  readonly high: number | null
}

export interface EvaluatedPolicy {
  readonly name: PolicyName
  readonly delta: number | null
  readonly epsilon: number | null
  /** Mean over the splits that have one. */
  readonly threshold: number | null
  /** Share of all debates acted on. */
  readonly act: Figure
  /** Share of right answers among those acted on; null if nothing was acted on. */
  readonly accuracy: Figure | null
  /** Share of all debates acted on and wrong. */
  readonly wrongActions: Figure
  /** wrongActions / beta. */
  readonly budgetUsed: Figure
  /** A deferral uses all rounds. */
  readonly roundsUsed: Figure
  /** Mean round of the actions; null if there are none. */
  readonly stoppingRound: Figure | null
  /** Answers asked of agents per debate. */
  readonly calls: Figure
  /** Budget used in the worst split. */
  readonly worstBudgetUsed: number
  readonly perRound: readonly RoundFigures[]
  readonly perGroup: readonly GroupFigures[]
  /** By the panel's answer (at the action, or in the last round), largest first. */
  readonly perAnswer: readonly LabelFigures[]
  /** By the right option, largest first. Debates with several right options or with grades are not counted. */
  readonly perTruth: readonly LabelFigures[]
  /** Kinds of debates that were acted on, in the order of kinds. */
  readonly perKind: readonly KindFigures[]
  /** The floor by which `perKind` is judged. */
  readonly floor: number
  /** Number of kinds with at least 50 actions per test half. */
  readonly kindsJudged: number
  /** Number of these kinds that are below the floor. */
  readonly kindsBelow: number
}

export interface RoundFigures {
  readonly round: number
  /** Summed over splits. */
  readonly acted: number
  /** Null, with its interval, if nothing was acted on. The interval is for acted / splits answers. */
  readonly accuracy: number | null
  readonly low: number | null
  readonly high: number | null
}

export interface GroupFigures {
  readonly group: string
  /** Labelled debates of the group. */
  readonly n: number
  readonly act: Figure
  readonly accuracy: Figure | null
  readonly wrongActions: Figure
}

/** Results for the debates with one answer, or with one right option. Rates are shares of these debates. */
export interface LabelFigures {
  readonly label: string
  /** Mean number of such debates in a test half. */
  readonly n: number
  readonly act: Figure
  readonly accuracy: Figure | null
  readonly wrongActions: Figure
}

/** Actions on one kind of debates: its round, how far the panel agreed, and whether its answer ever changed. */
export interface KindFigures extends Kind {
  /** Readable name, such as "round 1, unanimous, answer never changed". */
  readonly kind: string
  /** Summed over splits. */
  readonly acted: number
  readonly right: number
  /** right / acted. */
  readonly rate: number
  /** 95 % interval for acted / splits answers; null if that rounds to 0. */
  readonly low: number | null
  readonly high: number | null
  /** Mean number of actions in a test half. */
  readonly perSplit: number
  /** Whether the upper 99 % limit of the rate, for `perSplit` answers, is below the floor. */
  readonly isBelow: boolean
}

export interface ComputeMatched {
  readonly name: 'majority-final' | 'consensus'
  /** The round at which a debate without a decision ends: acted on by majority-final, deferred by consensus. */
  readonly cap: number
  readonly act: Figure
  readonly accuracy: Figure | null
  readonly wrongActions: Figure
  readonly calls: Figure
}
