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
export type PauseReason = 'spend-cap' | 'interrupted' | 'refused' | 'unreadable'
