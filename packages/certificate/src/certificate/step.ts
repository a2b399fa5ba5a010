import type { RoundSummary } from '../beliefs/debate.ts'
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

/** A round without a bound: too few labels behind it, nobody voted, or its score does not nominate the debate yet. */
export interface OpenStep extends StepBase {
  readonly lower: null
  readonly reason: 'too-few-labels' | 'no-vote' | 'not-nominated'
}

interface StepBase {
  readonly round: number
  /** The panel's answer after this round. */
  readonly answer: string
  readonly threshold: number
  /** k-NN: the state that was looked up. */
  readonly state?: readonly number[]
  /** Cells: the learned score and the cell it fell into. */
  readonly score?: number
  readonly cell?: string
}

/** What a certificate says after one round. */
export type Look =
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
