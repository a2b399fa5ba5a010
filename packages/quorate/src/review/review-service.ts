import type { DebateView } from '../contract/debates.ts'
import type {
  NextReview,
  QueueProgress,
  ReleasedClaims,
  ReviewItem,
  ReviewOutcome,
  ReviewRow,
  SubmittedReview,
  UndoneReview,
} from '../contract/reviews.ts'
import type { OutboxMessage } from '../store/outbox.ts'
import type { Millis, Store } from '../store/store.ts'

/** Where people take questions from the queue, say what is right, and take it back. */
export interface ReviewService {
  /** Refused for a machine, and for who holds as many items as allowed. */
  next(who: Reviewer): Promise<Answer<NextReview>>
  /** Takes this item, or keeps it longer. */
  claim(id: string, who: Reviewer): Promise<Answer<ReviewItem>>
  submit(
    id: string,
    who: Reviewer,
    said: { outcome: ReviewOutcome; note?: string | undefined },
  ): Promise<Answer<SubmittedReview>>
  skip(id: string, who: Reviewer): Promise<Answer<ReviewItem>>
  release(id: string, who: Reviewer): Promise<Answer<ReviewItem>>
  /** Puts back all that somebody holds: an admin's right. Each item gets a row in the ledger. */
  releaseClaims(reviewer: string, who: Reviewer): Promise<ReleasedClaims>
  /** Of one's own review; an admin's also of others'. */
  undo(id: string, who: Reviewer): Promise<Answer<UndoneReview>>
  find(id: string): Promise<ReviewItem | null>
  /** By age; `cursor` is the last id of the page before. What was never handed out shows as blind. */
  list(page: {
    readonly cursor: string | null
    readonly limit: number
    readonly status?: ReviewItem['status']
  }): Promise<{ readonly items: readonly ReviewRow[]; readonly next: string | null }>
  progress(who: Reviewer): Promise<QueueProgress>
}

export interface Reviewer {
  readonly name: string
  readonly kind: 'human' | 'machine'
  readonly role: 'viewer' | 'reviewer' | 'admin'
}

export type Answer<Value> = { readonly kind: 'done'; readonly value: Value } | Refusal

export type Refusal =
  | { readonly kind: 'not-found' }
  | { readonly kind: 'locked-by-other'; readonly assignee: string; readonly lockedUntil: Millis }
  /** Not held by who asks: claim it first; of an undo: submitted by another. */
  | { readonly kind: 'not-yours'; readonly assignee: string | null }
  | { readonly kind: 'already-submitted'; readonly status: 'submitted' | 'retracted' }
  /** Who asks knows what the panel answered: another person must say what is right. */
  | { readonly kind: 'knows-panel' }
  /** Who asks holds as many items as one token may. */
  | { readonly kind: 'too-many-claims'; readonly held: readonly string[]; readonly most: number }
  /** Who asks has held it for as long as allowed: others come first until then. */
  | { readonly kind: 'claim-used-up'; readonly again: Millis }
  /** Nothing to undo. */
  | { readonly kind: 'not-submitted' }
  | { readonly kind: 'unknown-option'; readonly options: readonly string[] }
  /** A machine may not say what is right, so it may not take an item from people either. */
  | { readonly kind: 'machine' }

export interface ReviewOptions {
  readonly store: Store
  readonly now: () => Millis
  readonly newId: () => string
  readonly newSalt: () => string
  /** How long an item stays with who claimed it, unless they claim it again. */
  readonly lockMs: number
  /** How long a submitted review can be undone before anybody is told. */
  readonly undoMs: number
  /** Items that one reviewer may hold at once. */
  readonly maxClaims: number
  /** The labels of the task: items show them in this order, so that their keys never move. Absent: as each question has them. */
  readonly labelOrder?: readonly string[]
  /** All that is known of a debate, for an item that is not blind. */
  readonly evidenceOf: (runId: string, questionId: string) => Promise<DebateView | null>
  /** The messages of an event, one for each target; none where no webhook is set. */
  readonly messagesOf: (event: ReviewEvent) => readonly OutboxMessage[]
}

/** For the server to make webhooks of. */
export interface ReviewEvent {
  readonly event: 'review.submitted' | 'review.retracted'
  /** To be the message's `subject`. */
  readonly reviewId: string
  readonly at: Millis
  /** Not to be sent before. */
  readonly notBefore: Millis
  readonly body: {
    readonly reviewId: string
    readonly runId: string
    readonly questionId: string
    readonly source: 'deferral' | 'spot-check'
    readonly outcome: ReviewOutcome
    readonly by: string
    readonly submittedAt: Millis
  }
}
