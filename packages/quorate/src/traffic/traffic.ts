import type { Model, ModelReply, ModelRequest } from '../model/model.ts'
import type { ModelError } from '../model/model-error.ts'

/** Every call to a model goes through here: limits, retries, time-outs, and the word of the store around each attempt. */
export interface Traffic {
  send(model: Model, call: TrafficCall): Promise<TrafficOutcome>
  /** For progress lines. */
  load(): TrafficLoad
}

export interface TrafficCall extends Pick<ModelRequest, 'messages' | 'settings' | 'place'> {
  /** Aborting halts the call wherever it is; a reason named TimeoutError means that a deadline passed. */
  readonly signal: AbortSignal
  /** Attempts made before, by a process that is gone: the numbers go on from there. */
  readonly attemptsMade?: number
  /** Null: as long as it takes. */
  readonly timeoutMs?: number | null
  /**
   * Commits the intent of an attempt that has its slot, and resolves when it may be sent. A reason halts the call instead:
   * nothing was sent.
   */
  openAttempt(attempt: number): Promise<OpenAttempt | HaltReason>
}

export interface OpenAttempt {
  /** Commits the outcome. A reply is handed on, and another attempt made, only after this resolved. */
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
  /** Waiting for a slot, a rate or a rest; not counting those that back off. */
  readonly waiting: number
}

/** Resolves after so many milliseconds, or at once when the signal aborts. Never rejects. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>
