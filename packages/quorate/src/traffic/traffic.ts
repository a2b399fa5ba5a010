import type { Model, ModelReply, ModelRequest } from '../model/model.ts'
import type { ModelError } from '../model/model-error.ts'

/**
 * Every call to a model goes through here. It applies limits, retries and time-outs, and it commits every attempt to
 * the store before and after.
 */
export interface Traffic {
  send(model: Model, call: TrafficCall): Promise<TrafficOutcome>
  /** For progress messages. */
  load(): TrafficLoad
}

export interface TrafficCall extends Pick<ModelRequest, 'messages' | 'settings' | 'place'> {
  /** Aborting halts the call wherever it is. A reason named TimeoutError means that a deadline passed. */
  readonly signal: AbortSignal
  /** Attempts that an earlier process made. Numbering continues from there. */
  readonly attemptsMade?: number
  /** Of one attempt; null: no time-out. */
  readonly timeoutMs?: number | null
  /**
   * Commits the intent of an attempt that has its slot, and resolves when it may be sent. If it resolves with a reason,
   * the call is halted and nothing was sent.
   */
  openAttempt(attempt: number): Promise<OpenAttempt | HaltReason>
}

export interface OpenAttempt {
  /** Commits the outcome. Only after this has resolved is a reply passed on or another attempt made. */
  close(result: AttemptResult): Promise<void>
}

export type HaltReason = 'spend-cap' | 'time-out' | 'interrupted'

export type AttemptResult =
  | { readonly kind: 'reply'; readonly reply: ModelReply }
  | { readonly kind: 'error'; readonly error: ModelError }

export type TrafficOutcome =
  | { readonly kind: 'reply'; readonly reply: ModelReply; readonly attempt: number }
  /** The model stays down, or refuses what was sent. */
  | { readonly kind: 'down'; readonly reason: string; readonly error: ModelError | null }
  | { readonly kind: 'halted'; readonly reason: HaltReason }

export interface TrafficLoad {
  readonly inFlight: number
  /** Calls that wait for a slot, a rate limit or an open breaker, without those that back off. */
  readonly waiting: number
}

/** Resolves after so many milliseconds, or at once when the signal aborts. Never rejects. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>
