import type { Millis, SpotCheck, StoredDebate, StoredDecision } from '../store.ts'

/** A debate as a list shows it, with its question, decision and label. */
export interface ListedDebate extends Required<Omit<StoredDebate, 'debate'>> {
  /** JSON of the question; null after a redaction. */
  readonly question: string | null
  readonly isSpotCheck: boolean
  /** The whole decision, if there is one. */
  readonly decision: Omit<StoredDecision, 'runId' | 'questionId'> | null
  readonly label: SpotCheck['label']
  /** JSON of the debate. Lists show its votes. */
  readonly debate: string
  /** True: the queue has an item about it that is or may become blind and is not final, or it is still in debate. */
  readonly isHidden: boolean
  /** True: the queue has an unanswered item about it. */
  readonly isWaiting: boolean
}

export interface DebateFilter {
  readonly runId?: string
  /** True: only debates of runs that decide. False: only debates of runs that do not. */
  readonly isDecided?: boolean
  readonly kind?: StoredDecision['kind']
  readonly reason?: string
  readonly group?: string
  readonly status?: StoredDebate['status']
  readonly isSpotCheck?: boolean
  /** Only debates that are not hidden, because finding a debate with a filter reveals what the filter tests. */
  readonly isShown?: true
  /** Prefix of the question's id. */
  readonly prefix?: string
  /** Found in the id or text of the question or, if it is not hidden, anywhere in question or debate. Case-insensitive. */
  readonly words?: string
  /** `wrong` or `right`: an action with such a label; "cannot tell" counts as wrong. `unlabelled`: without a label. */
  readonly outcome?: 'wrong' | 'right' | 'unlabelled'
}

export type DebateCursor = Pick<StoredDebate, 'at' | 'runId' | 'questionId'>

/**
 * What is hidden. `what-may-be-blind` is for people who must not be able to distinguish items. `what-is-blind` is for a person
 * who could read the store anyway: it hides only items that are or will be blind, of which at least half are deferrals.
 */
export type Hides = 'what-may-be-blind' | 'what-is-blind'

export interface LatestPage {
  readonly after: DebateCursor | null
  readonly limit: number
  readonly filter?: DebateFilter
  /** The current time. A blind review hides its debate until it can no longer be undone. */
  readonly now: Millis
  /** `what-may-be-blind` by default. */
  readonly hides?: Hides
}
