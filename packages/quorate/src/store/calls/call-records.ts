import type { CallState, Intent, Outcome, StoredCall } from '../../record/call.ts'
import type { Millis } from '../store.ts'

export type { CallState, Intent, Outcome, StoredCall } from '../../record/call.ts'

/** What names a call, and who writes about it. */
export type CallOfFence = Pick<Intent, 'id' | 'runId' | 'fence'>

export interface CallStore {
  /**
   * Committed before anything is sent. A key that exists is an error, as is a run or a question that is `fenced` or
   * `erased`. `over-cap`, of shared runs only: the run's cap has no room for it, and nothing was written.
   */
  open(intent: Intent): Promise<'opened' | 'over-cap'>
  /**
   * `answered` with its reply and cost; `refused` costs nothing; `lost` keeps its reserved cost. Of an erased question no
   * text is written. False: fenced off.
   */
  close(call: CallOfFence, state: Exclude<CallState, 'open'>, outcome: Outcome): Promise<boolean>
  find(runId: string, id: string): Promise<StoredCall | null>
  /** What there is before a call: attempts at its place, and the answers of `answered` and `cached`. */
  before(runId: string, place: CallPlace, cacheKey: string): Promise<CallsBefore>
  /** Answered in this run for this place and not redacted, if any: it is never asked again. */
  answered(runId: string, place: CallPlace): Promise<StoredCall | null>
  /** The last opened of the answered calls with this cache key, of any run, that are not redacted, if any. */
  cached(cacheKey: string): Promise<StoredCall | null>
  /** Attempts made for a place so far, open ones included. */
  attempts(runId: string, place: CallPlace): Promise<number>
  /**
   * The run is this fence's from here on: under another one nothing more is opened, closed or saved. Its open intents
   * under others become `lost`; returns how many.
   */
  takeOver(runId: string, fence: string, at: Millis): Promise<number>
  spend(runId: string): Promise<Spend>
  /**
   * Keeps what the next calls add up to, some thousand at a time, so that `spend` reads only later ones. False: there are fewer
   * than `fewest`, or the first of them is open, and nothing was written.
   */
  keepSums(runId: string, fewest?: number): Promise<boolean>
  /** Takes calls out of the database, up to this id, after they were written elsewhere; `spend` stays as it was. */
  moveOut(runId: string, upTo: string): Promise<number>
  /** In order of opening, paged. */
  list(runId: string, page: { readonly after: string | null; readonly limit: number }): Promise<readonly StoredCall[]>
}

export interface CallsBefore {
  readonly attempts: number
  readonly answered: StoredCall | null
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
  /** Of answered calls. */
  readonly committedMicroUsd: number
  /** Of open and lost intents, and of answered calls whose cost is not known. */
  readonly reservedMicroUsd: number
  /** Answered, open or lost calls whose model has no price. */
  readonly unpricedCalls: number
}
