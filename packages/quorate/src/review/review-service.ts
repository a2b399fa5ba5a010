import type { AgreementView } from '../contract/agreement.ts'
import type { DebateView } from '../contract/debates.ts'
import type {
  AssignReviews,
  ChangedReviews,
  NextReview,
  QueueProgress,
  ReleasedClaims,
  RequestedReviews,
  ReviewItem,
  ReviewOutcome,
  ReviewRow,
  SubmittedReview,
  UndoneReview,
} from '../contract/reviews.ts'
import type { ReviewRecord } from '../record/review.ts'
import type { OutboxMessage } from '../store/outbox.ts'
import type { Millis, Store } from '../store/store.ts'
import type { AgreementOf } from './agreement.ts'

/** The review queue: people claim items, submit outcomes and undo them. */
export interface ReviewService {
  /** Refused for a machine, and for a reviewer with as many claims as allowed. */
  next(who: Reviewer): Promise<Answer<NextReview>>
  /** Takes this item, or keeps it longer. */
  claim(id: string, who: Reviewer): Promise<Answer<ReviewItem>>
  submit(
    id: string,
    who: Reviewer,
    submission: { outcome: ReviewOutcome; note?: string | undefined },
  ): Promise<Answer<SubmittedReview>>
  skip(id: string, who: Reviewer): Promise<Answer<ReviewItem>>
  release(id: string, who: Reviewer): Promise<Answer<ReviewItem>>
  /** Releases all claims of a reviewer, for an admin. Each item gets a row in the ledger. */
  releaseClaims(reviewer: string, who: Reviewer): Promise<ReleasedClaims>
  /** Says who reviews items, and by when: an admin's right. Each item that changes gets a row in the ledger. */
  assign(asked: AssignReviews, who: Reviewer): Promise<Answer<ChangedReviews>>
  /** Releases the claims on these items, for an admin. Each gets a row in the ledger. */
  unlock(ids: readonly string[], who: Reviewer): Promise<ChangedReviews>
  /** Adds an item for each decided debate that has none, with a row in the ledger. */
  request(debates: readonly DebatePlace[], who: Reviewer): Promise<RequestedReviews>
  /** Of one's own review; an admin's also of others'. */
  undo(id: string, who: Reviewer): Promise<Answer<UndoneReview>>
  /** A submitted outcome is visible to its author, and to others once no item about the question is open. */
  find(id: string, who: { readonly name: string }): Promise<ReviewItem | null>
  /** By age; `cursor` is the last id of the page before. What was never handed out shows as blind. */
  list(page: {
    readonly cursor: string | null
    readonly limit: number
    readonly status?: ReviewItem['status']
    /** Only what is assigned to this person; null: to nobody. */
    readonly assignedTo?: string | null
  }): Promise<{ readonly items: readonly ReviewRow[]; readonly next: string | null }>
  progress(who: Reviewer): Promise<QueueProgress>
  /** Without the questions that `hidden` keeps from the caller. */
  agreement(hidden?: AgreementOf['hidden']): Promise<AgreementView>
}

export interface DebatePlace {
  readonly runId: string
  readonly questionId: string
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
  | { readonly kind: 'assigned-to-other'; readonly assignedTo: string; readonly dueAt: Millis | null }
  /** Nobody of that name may review. */
  | { readonly kind: 'unknown-person'; readonly people: readonly string[] }
  /** Not held by who asks: claim it first; of an undo: submitted by another. */
  | { readonly kind: 'not-yours'; readonly assignee: string | null }
  | { readonly kind: 'already-submitted'; readonly status: 'submitted' | 'retracted' }
  /** Who asks knows what the panel answered: another person must say what is right. */
  | { readonly kind: 'knows-panel' }
  /** Who asks holds as many items as one token may. */
  | { readonly kind: 'too-many-claims'; readonly claimed: readonly string[]; readonly most: number }
  /** Who asks has held it for as long as allowed: others come first until then. */
  | { readonly kind: 'claim-used-up'; readonly again: Millis }
  /** Nothing to undo. */
  | { readonly kind: 'not-submitted' }
  | { readonly kind: 'unknown-option'; readonly options: readonly string[] }
  /** The item asks for something else. */
  | { readonly kind: 'wrong-outcome'; readonly expected: ReviewItem['asks']['kind'] }
  /** What was typed is no answer of this form. */
  | { readonly kind: 'unreadable-answer'; readonly form: string }
  /** Every candidate needs its grade, once. */
  | { readonly kind: 'ungraded'; readonly candidates: readonly string[] }
  /** A machine may not say what is right, so it may not take an item from people either. */
  | { readonly kind: 'machine' }

export interface ReviewOptions {
  readonly store: Store
  readonly now: () => Millis
  readonly newId: () => string
  readonly newSalt: () => string
  /** How long an item stays with who claimed it, unless they claim it again. */
  readonly lockMs: number
  /** How long a submitted review can be undone before it is announced. */
  readonly undoMs: number
  /** Items that one reviewer may hold at once. */
  readonly maxClaims: number
  /** Share of items that a second person answers too, without knowing the first answer. Absent: none. */
  readonly secondShare?: number
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
    readonly source: ReviewRecord['source']
    readonly outcome: ReviewOutcome
    readonly by: string
    readonly submittedAt: Millis
  }
}
