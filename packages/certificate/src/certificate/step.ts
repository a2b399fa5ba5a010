import type { RoundSummary } from '../beliefs/debate.ts'
import type { KindCode } from '../kinds/kind.ts'
import type { ReadDebate } from './read-debates.ts'

/** One round of a decision, with enough of its arithmetic to recompute the bound. */
export type Step = AssessedStep | OpenStep

export interface AssessedStep extends StepBase {
  /** mean - envelope - slack. */
  readonly lower: number
  readonly neighbours: number
  readonly successes: number
  readonly mean: number
  readonly envelope: number
  readonly slack: number
  readonly k?: number
  readonly radius?: number
}

/** A round without a bound, and why. */
export interface OpenStep extends StepBase {
  readonly lower: null
  readonly reason: OpenReason
}

/**
 * Why a round has no bound.
 *
 * Every profile: `too-few-labels`, `no-vote`, `tie` and `no-news` (see `kinds/kind.ts`; `paper`: only `no-vote` of the
 * last three).
 *
 * Cells: `not-nominated` or `score-low`, because of the score. `kind-vetoed`, because of neighbour labels, ends the
 * debate, and later rounds have `stopped-before`.
 *
 * `total`: after `score-low` (below the cut of the round) and `kind-blocked` (by pilot labels) the debate continues. It
 * ends with `class-refused`, `answer-refused` (by the budget of the answer), `kind-unseen` (no pilot
 * debate of this kind was acted on), `group-deferred` (by the user's rule), `nothing-certified` or `stopped-before`.
 */
export const OPEN_REASONS = [
  'too-few-labels',
  'no-vote',
  'tie',
  'no-news',
  'not-nominated',
  'score-low',
  'kind-blocked',
  'kind-vetoed',
  'class-refused',
  'answer-refused',
  'kind-unseen',
  'group-deferred',
  'nothing-certified',
  'stopped-before',
] as const
export type OpenReason = (typeof OPEN_REASONS)[number]

interface StepBase {
  readonly round: number
  /** The panel's answer after this round. */
  readonly answer: string
  readonly threshold: number
  /** k-NN: the state of the debate. */
  readonly state?: readonly number[]
  /** Cells and `total`: the learned score. */
  readonly score?: number
  /** Cells: the name of the cell. */
  readonly cell?: string
  /** `total`: the score that this round needs; absent if no score is enough. */
  readonly cut?: number
  /** Cells and `total`. */
  readonly kind?: KindCode
  /** `total`: counted rows of this kind alone, and how many of them were right. */
  readonly kindRows?: number
  readonly kindRight?: number
}

/** What a certificate reports after one round. `isFinal`: no later round can act. */
export type Assessment =
  | { readonly kind: 'step'; readonly step: Step; readonly isFinal: boolean }
  | { readonly kind: 'uncalibrated' }

/** If all agents abstain, the panel's answer is random, and no bound may let it act. */
export function hasVote({ rounds }: ReadDebate, round: number): boolean {
  return rounds[round - 1]!.abstentions < 1
}

/** Rounds 1..round of a debate. */
export function prefixOf({ rounds }: ReadDebate, round: number): readonly RoundSummary[] {
  return rounds.slice(0, round)
}

export function answerAt({ record, rounds }: ReadDebate, round: number): string {
  return record.options[rounds[round - 1]!.prediction]!
}
