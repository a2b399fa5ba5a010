import type { Millis, SpotCheck, StoredDebate, StoredDecision } from '../store.ts'

/** A debate as a list shows it, with what stands around it. */
export interface ListedDebate extends Required<Omit<StoredDebate, 'debate'>> {
  /** JSON of the question as the run keeps it, null once redacted. */
  readonly question: string | null
  readonly isSpotCheck: boolean
  /** The whole decision, if there is one. */
  readonly decision: Omit<StoredDecision, 'runId' | 'questionId'> | null
  readonly label: SpotCheck['label']
  /** JSON of the debate, for its votes. */
  readonly debate: string
  /** A blind item of the queue is about it, or a spot check that nobody had yet, and nobody's word on it is final. */
  readonly isHidden: boolean
  /** An item of the queue is about it, and nobody has answered it yet. */
  readonly isWaiting: boolean
}

export interface DebateFilter {
  readonly runId?: string
  /** Of runs that decide, or of those that only debate. */
  readonly isDecided?: boolean
  readonly kind?: StoredDecision['kind']
  readonly reason?: string
  readonly group?: string
  readonly status?: StoredDebate['status']
  readonly isSpotCheck?: boolean
  /** Only those that are not hidden: what a filter finds reveals what it filters by. */
  readonly isShown?: true
  /** What the question's id begins with. */
  readonly prefix?: string
  /** Found in the text of the question or its id, and, where the debate is not hidden, in all of both. Whatever the case. */
  readonly words?: string
  /** Acted on, and a label says that it was wrong or right; one that nobody can tell counts as wrong. */
  readonly outcome?: 'wrong' | 'right' | 'unlabelled'
}

export type DebateCursor = Pick<StoredDebate, 'at' | 'runId' | 'questionId'>

/**
 * `what-may-be-blind`: for people who must not be able to tell one item from another. `what-is-blind`: for a person alone
 * with the store, whom only the page keeps from looking: what is blind or will be, of which at least half are deferrals.
 */
export type Hides = 'what-may-be-blind' | 'what-is-blind'

export interface LatestPage {
  readonly after: DebateCursor | null
  readonly limit: number
  readonly filter?: DebateFilter
  /** Until a review can no longer be undone it hides its debate. */
  readonly now: Millis
  /** What may be blind by default. */
  readonly hides?: Hides
}
