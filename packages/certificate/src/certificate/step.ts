import type { RoundSummary } from '../beliefs/debate.ts'
import type { KindCode } from '../kinds/kind.ts'
import type { ReadPanel } from './panel.ts'

/** One round of a decision, with the arithmetic that led to it: enough to recompute the bound. */
export type Step = LookedStep | OpenStep

export interface LookedStep extends StepBase {
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
 * Every profile: `too-few-labels`, `no-vote`, and a `tie` or `no-news` (see kinds). Cells: `not-nominated` or `score-low` by
 * its score; it ends with `kind-vetoed` by neighbour labels, and later rounds say `stopped-before`.
 * `total`: `score-low` below the cut of the round, and `kind-blocked` on pilot labels: the debate goes on. It ends with
 * `class-refused`, `answer-refused` by the answer's own budget, `kind-unseen` in the pilot, `group-deferred` by the user's rule, `nothing-certified`, or `stopped-before`.
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
  /** k-NN: the state that was looked up. */
  readonly state?: readonly number[]
  /** Cells and total: the learned score; cells: the cell it fell into. */
  readonly score?: number
  readonly cell?: string
  /** Total: the score needed in this round, absent where no score would do; the kind, and the rows of that kind alone. */
  readonly cut?: number
  readonly kind?: KindCode
  readonly kindRows?: number
  readonly kindRight?: number
}

/** What a certificate says after one round. */
export type Assessment =
  | { readonly kind: 'step'; readonly step: Step /** Nothing later can act. */; readonly isFinal: boolean }
  | { readonly kind: 'uncalibrated' }

/** Where everyone abstains, the panel's answer is a coin: no bound lets it act, whatever rows like it say. */
export function hasVote({ rounds }: ReadPanel, round: number): boolean {
  return rounds[round - 1]!.abstentions < 1
}

/** Rounds 1..round of a debate. */
export function prefixOf({ rounds }: ReadPanel, round: number): readonly RoundSummary[] {
  return rounds.slice(0, round)
}

export function answerAt({ record, rounds }: ReadPanel, round: number): string {
  return record.options[rounds[round - 1]!.prediction]!
}
