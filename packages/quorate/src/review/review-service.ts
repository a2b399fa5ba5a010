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
import type { QuestionKey } from '../record/question.ts'
import type { ReviewRecord } from '../record/review.ts'
import type { OutboxMessage } from '../store/outbox.ts'
import type { Millis, Store } from '../store/store.ts'
import type { AgreementOf } from './agreement.ts'

/** The review queue: people claim items, submit outcomes and undo them. */
export interface ReviewService {
  /** Refused for a machine, and for a reviewer with as many claims as allowed. */
  next(who: Reviewer): Promise<Answer<NextReview>>
  /** Claims this item, or extends the claim. */
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
  /** Assigns items to a reviewer and sets their due date, for an admin. Each item that changes gets a row in the ledger. */
  assign(asked: AssignReviews, who: Reviewer): Promise<Answer<ChangedReviews>>
  /** Releases the claims on these items, for an admin. Each gets a row in the ledger. */
  releaseItems(ids: readonly string[], who: Reviewer): Promise<ChangedReviews>
  /** Adds an item for each decided debate that has none, with a row in the ledger. */
  request(debates: readonly QuestionKey[], who: Reviewer): Promise<RequestedReviews>
  /** Undoes the caller's own review. An admin may undo any. */
  undo(id: string, who: Reviewer): Promise<Answer<UndoneReview>>
  /** A submitted outcome is visible to its author, and to others once no item about the question is open. */
  find(id: string, who: { readonly name: string }): Promise<ReviewItem | null>
  /** Oldest first; `cursor` is the last id of the previous page. An item that was never claimed is shown as blind. */
  list(page: {
    readonly cursor: string | null
    readonly limit: number
    readonly status?: ReviewItem['status']
    /** Only items that are assigned to this person; null: to nobody. */
    readonly assignedTo?: string | null
  }): Promise<{ readonly items: readonly ReviewRow[]; readonly next: string | null }>
  progress(who: Reviewer): Promise<QueueProgress>
  /** Leaves out the questions that `hidden` returns. */
  agreement(hidden?: AgreementOf['hidden']): Promise<AgreementView>
}

export interface Reviewer {
  readonly name: string
  readonly kind: 'human' | 'machine'
  readonly role: 'viewer' | 'reviewer' | 'admin'
}

export type Answer<Value> = { readonly kind: 'done'; readonly value: Value } | Refusal

export type Refusal =
  | { readonly kind: 'not-found' }
  | { readonly kind: 'claimed-by-other'; readonly claimedBy: string; readonly claimedUntil: Millis }
  | { readonly kind: 'assigned-to-other'; readonly assignedTo: string; readonly dueAt: Millis | null }
  /** Nobody with that name may review. */
  | { readonly kind: 'unknown-person'; readonly people: readonly string[] }
  /** The caller has not claimed it, or, for an undo, another person submitted it. */
  | { readonly kind: 'not-yours'; readonly claimedBy: string | null }
  | { readonly kind: 'already-submitted'; readonly status: 'submitted' | 'retracted' }
  /** The caller knows the panel's answer, so another person must review it. */
  | { readonly kind: 'knows-panel' }
  /** The caller has claimed as many items as allowed. */
  | { readonly kind: 'too-many-claims'; readonly claimed: readonly string[]; readonly most: number }
  /** The caller has had it for as long as allowed. Others come first until `again`. */
  | { readonly kind: 'claim-used-up'; readonly again: Millis }
  /** There is nothing to undo. */
  | { readonly kind: 'not-submitted' }
  | { readonly kind: 'unknown-option'; readonly options: readonly string[] }
  /** The item asks for another kind of outcome. */
  | { readonly kind: 'wrong-outcome'; readonly expected: ReviewItem['asks']['kind'] }
  /** The typed text is not an answer of this form. */
  | { readonly kind: 'unreadable-answer'; readonly form: string }
  /** Every candidate needs exactly one grade. */
  | { readonly kind: 'ungraded'; readonly candidates: readonly string[] }
  /** A machine may not label, so it may not claim an item either. */
  | { readonly kind: 'machine' }

export interface ReviewOptions {
  readonly store: Store
  readonly now: () => Millis
  readonly newId: () => string
  readonly newSalt: () => string
  /** How long a claim lasts unless it is extended. */
  readonly claimMs: number
  /** How long a submitted review can be undone before it is sent to webhooks. */
  readonly undoMs: number
  /** Items that one reviewer may claim at once. */
  readonly maxClaims: number
  /** Share of items that a second person answers too, without knowing the first answer. Absent: none. */
  readonly secondShare?: number
  /**
   * Items show the labels of the task in this order, so that their keyboard keys never change. Absent: each question's order.
   */
  readonly labelOrder?: readonly string[]
  /** Everything that is known about a debate, for an item that is not blind. */
  readonly evidenceOf: (runId: string, questionId: string) => Promise<DebateView | null>
  /** The messages of an event, one for each target; empty if no webhook is configured. */
  readonly messagesOf: (event: ReviewEvent) => readonly OutboxMessage[]
}

/** An event from which the server makes webhook messages. */
export interface ReviewEvent {
  readonly event: 'review.submitted' | 'review.retracted'
  /** The message's `subject`. */
  readonly reviewId: string
  readonly at: Millis
  /** The message is not sent earlier. */
  readonly notBefore: Millis
  readonly body: {
    readonly reviewId: string
    readonly runId: string
    readonly questionId: string
    readonly source: ReviewRecord['source']
    /** Without the text of a typed answer, because erasing a question does not erase messages. */
    readonly outcome: Exclude<ReviewOutcome, { kind: 'answer' }> | { readonly kind: 'answer' }
    readonly by: string
    readonly submittedAt: Millis
  }
}
