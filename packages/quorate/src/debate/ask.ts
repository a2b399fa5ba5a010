import type { Message, ModelReply, ModelSettings } from '../model/model.ts'

/**
 * How a debate asks an agent. The implementation caches, limits, retries, pays and stores. A reply is committed before
 * it is returned.
 */
export type Ask = (call: AgentCall) => Promise<AgentAnswer>

export interface AgentCall {
  readonly questionId: string
  readonly agent: string
  /** From 1. */
  readonly round: number
  /** Number of this answer to the same messages, from 0; for elicitation by samples. */
  readonly repeat: number
  /** True for the single reminder after an unreadable answer. */
  readonly isReminder: boolean
  /** An answer to the same messages counts wherever it was asked, because a judge's answer does not depend on the place. */
  readonly isByContent?: boolean
  readonly messages: readonly Message[]
  readonly settings: ModelSettings
}

export type AgentAnswer =
  | { readonly kind: 'reply'; readonly reply: ModelReply }
  /** The agent is still down after all attempts. The debate becomes an `agent-failure`, never an answer. */
  | { readonly kind: 'down'; readonly reason: string }
  /** The debate stops here and may be resumed. */
  | { readonly kind: 'halted'; readonly reason: PauseReason | 'time-out' }

/** Why a debate pauses: the spend cap, Ctrl-C, or an early stop. */
export type PauseReason = 'spend-cap' | 'interrupted' | EarlyStop

/**
 * Why a run that cannot succeed stops early: its requests are refused, its provider is unreachable, or its answers
 * cannot be read.
 */
export type EarlyStop = 'refused' | 'unreachable' | 'unreadable'

const EARLY: ReadonlySet<string | null> = new Set<EarlyStop>(['refused', 'unreachable', 'unreadable'])

export function isEarlyStop(halt: string | null): halt is EarlyStop {
  return EARLY.has(halt)
}
