import type { CallOutcome, CallState, Intent, StoredCall } from '../../record/call.ts'
import type { Millis } from '../store.ts'

export type { CallOutcome, CallState, Intent, StoredCall } from '../../record/call.ts'

/** Identifies a call and the process that may write about it. */
export type CallOfFence = Pick<Intent, 'id' | 'runId' | 'fence'>

export interface CallStore {
  /**
   * Commits the intent before anything is sent. It is an error if the call exists, if another process has taken over the run or
   * the question (`fenced`), or if the question is `erased`. `over-cap`, for shared runs only: the run's cap has no room for
   * the call, and nothing was written.
   */
  open(intent: Intent): Promise<'opened' | 'over-cap'>
  /**
   * An `answered` call has a reply and a cost, a `refused` call costs nothing, and a `lost` call keeps its reserved cost. No
   * text of an erased question is written. False: the call is no longer open, or another process has taken over.
   */
  close(call: CallOfFence, state: Exclude<CallState, 'open'>, outcome: CallOutcome): Promise<boolean>
  find(runId: string, id: string): Promise<StoredCall | null>
  /** What is known before a call. */
  before(runId: string, place: CallPlace, cacheKey: string): Promise<CallsBefore>
  /**
   * From now on this fence owns the run: nothing more can be opened, closed or saved under another one. Open intents of other
   * fences become `lost`. Returns their number.
   */
  takeOver(runId: string, fence: string, at: Millis): Promise<number>
  spend(runId: string): Promise<Spend>
  /**
   * Stores the sums of the next calls, at most 50,000 at a time, so that `spend` has to read only later ones. False: there are
   * fewer than `fewest`, or the first of them is open, and nothing was written.
   */
  keepSums(runId: string, fewest?: number): Promise<boolean>
  /**
   * Deletes calls up to this id, which were archived elsewhere, and returns their number. `spend` does not change. `archived`: how
   * many they are. If the store has more, for example from a process whose clock is behind, it deletes none, which is an error.
   */
  moveOut(runId: string, upTo: string, archived?: number): Promise<number>
  /** By id, which is the order of opening. */
  list(runId: string, page: { readonly after: string | null; readonly limit: number }): Promise<readonly StoredCall[]>
}

export interface CallsBefore {
  /** The number of attempts at its place so far, including open ones. */
  readonly attempts: number
  /** The call that was answered in this run at its place and is not redacted, if any. It is never sent again. */
  readonly answered: StoredCall | null
  /** If it was not answered: the latest answered call of any run with its cache key that is not redacted. */
  readonly cached: StoredCall | null
}

export interface CallPlace {
  readonly questionId: string
  readonly agent: string
  readonly round: number
  readonly repeat: number
  readonly isReminder: boolean
}

export interface Spend {
  readonly calls: Readonly<Record<CallState, number>>
  readonly inputTokens: number
  readonly outputTokens: number
  /** Cost of answered calls. */
  readonly committedMicroUsd: number
  /** Reserved cost of open and lost intents, and of answered calls whose cost is unknown. */
  readonly reservedMicroUsd: number
  /** Answered, open or lost calls whose model has no price. */
  readonly unpricedCalls: number
}
