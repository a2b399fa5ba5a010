import type { Kind } from '../kinds/kind.ts'
import type { PolicyName } from '../policies/policy.ts'

/** What each policy would have done on held-out debates, over random halves of one file. */
export interface Evaluation {
  /** Labelled debates. */
  readonly n: number
  readonly rounds: number
  readonly beta: number
  /** Share right that every kind of debate is judged by, whatever the policy promises. */
  readonly floor: number
  /** One per split. */
  readonly seeds: readonly number[]
  /** Policies that could not be fitted, and why. */
  readonly skipped: readonly { readonly name: PolicyName; readonly reason: string }[]
  readonly policies: readonly EvaluatedPolicy[]
  /**
   * Rules without a bound, each at the round cap whose mean calls are nearest to those of the first policy of ours, which
   * need not be near: consensus stops early whatever the cap.
   */
  readonly computeMatched: readonly ComputeMatched[]
  /** Every group decided by policies that were fitted on the others; null where that was not asked for or needs more groups. */
  readonly shift: Shift | null
}

/** What is promised is about the population that was calibrated on. This is what happened in groups that were not in it. */
export interface Shift {
  /** Whether questions are shared between groups: then policies saw one half of the questions, and the other half was decided. */
  readonly isHalved: boolean
  readonly policies: readonly {
    readonly name: PolicyName
    /** Groups with more than beta acted on and wrong. */
    readonly groupsOver: number
    /** Of the worst group. */
    readonly worstBudgetUsed: number
    readonly groups: readonly GroupShift[]
  }[]
}

/** One group, decided once by a policy that had no label of it. */
export interface GroupShift {
  readonly group: string
  /** Debates decided. */
  readonly n: number
  readonly acted: number
  readonly right: number
  /** acted / n. */
  readonly act: number
  /** right / acted; null when nothing was acted on. */
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
 * Over splits. Ten overlapping splits are not ten samples: `min` and `max` are their spread, and `low` and `high` are
 * the 95 % Clopper-Pearson interval of one test half, null where the figure is no rate.
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
  /** Share right among those acted on; null when nothing was. */
  readonly accuracy: Figure | null
  /** Share of all debates acted on and wrong. */
  readonly wrongActions: Figure
  /** wrongActions / beta. */
  readonly budgetUsed: Figure
  /** A deferral uses all rounds. */
  readonly roundsUsed: Figure
  /** Mean round of the actions; null when there is none. */
  readonly stoppingRound: Figure | null
  /** Answers asked of agents per debate. */
  readonly calls: Figure
  /** Of the worst split. */
  readonly worstBudgetUsed: number
  readonly perRound: readonly RoundFigures[]
  readonly perGroup: readonly GroupFigures[]
  /** By the panel's answer (that of the action, or of the last round), largest first. */
  readonly perAnswer: readonly LabelFigures[]
  /** By the right option, largest first; debates with several right options or with grades are in none. */
  readonly perTruth: readonly LabelFigures[]
  /** Kinds of debates that were acted on, by kind. */
  readonly perKind: readonly KindFigures[]
  /** The floor of the evaluation, by which `perKind` is judged. */
  readonly floor: number
  /** Kinds with 50 actions a test half or more. */
  readonly kindsJudged: number
  /** Those of them that are below the floor. */
  readonly kindsBelow: number
}

export interface RoundFigures {
  readonly round: number
  /** Summed over splits. */
  readonly acted: number
  /** Null, with its interval, when nothing was acted on. The interval counts acted / splits answers. */
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

/** What was done with the debates of one answer, or of one right option. Rates are of these debates. */
export interface LabelFigures {
  readonly label: string
  /** Mean number of such debates in a test half. */
  readonly n: number
  readonly act: Figure
  readonly accuracy: Figure | null
  readonly wrongActions: Figure
}

/** What was acted on of one kind of debates: its round, how far the panel agreed, and whether its answer ever changed. */
export interface KindFigures extends Kind {
  /** For people, such as "round 1, unanimous, answer never changed". */
  readonly kind: string
  /** Summed over splits. */
  readonly acted: number
  readonly right: number
  /** right / acted. */
  readonly rate: number
  /** 95 % interval of acted / splits answers; null where that rounds to none. */
  readonly low: number | null
  readonly high: number | null
  /** Mean number of actions in a test half. */
  readonly perSplit: number
  /** Whether the upper 99 % limit of the rate, for `perSplit` answers, lies below the floor. */
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
