import type { Message, ModelReply, ModelSettings } from '../model/model.ts'

/**
 * How a debate asks an agent. The implementation caches, limits, retries, pays and stores. A reply that comes back is
 * committed.
 */
export type Ask = (call: AgentCall) => Promise<AgentAnswer>

export interface AgentCall {
  readonly questionId: string
  readonly agent: string
  /** From 1. */
  readonly round: number
  /** Which of several answers to the same messages, from 0: elicitation by samples. */
  readonly repeat: number
  /** True for the one reminder after an unreadable answer. */
  readonly isReminder: boolean
  /** An answer to the same messages counts wherever they were sent: what a judge says does not depend on the place. */
  readonly isByContent?: boolean
  readonly messages: readonly Message[]
  readonly settings: ModelSettings
}

export type AgentAnswer =
  | { readonly kind: 'reply'; readonly reply: ModelReply }
  /** The agent stays down after all attempts: the debate is an `agent-failure`, never an answer. */
  | { readonly kind: 'down'; readonly reason: string }
  /** The debate stops here and may be resumed. */
  | { readonly kind: 'halted'; readonly reason: PauseReason | 'time-out' }

/** The spend cap, Ctrl-C, a provider that refuses every request, or a panel whose answers cannot be read. */
export type PauseReason = 'spend-cap' | 'interrupted' | EarlyStop

/** Why a run that cannot come to anything stops early. */
export type EarlyStop = 'refused' | 'unreachable' | 'unreadable'

const EARLY: ReadonlySet<string | null> = new Set<EarlyStop>(['refused', 'unreachable', 'unreadable'])

export function isEarlyStop(halt: string | null): halt is EarlyStop {
  return EARLY.has(halt)
}
