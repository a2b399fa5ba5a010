import type { ReviewOutcome } from '../contract/reviews.ts'
import { saltedDigest } from '../store/ledger-chain.ts'
import type { LedgerEntry, Millis, StoredLabel, StoredReview } from '../store/store.ts'
import type { ReviewEvent } from './review-service.ts'

/** What a person said of an item. */
export interface Said {
  readonly outcome: ReviewOutcome
  readonly note: string | null
  readonly by: string
  readonly at: Millis
}

/** What is right as far as it was said; only `option` has a gold. */
export function labelOf(review: StoredReview, { outcome, by, at }: Said, id: string): Required<StoredLabel> {
  const { runId, questionId, source } = review
  const gold = outcome.kind === 'option' ? outcome.option : null
  return { id, runId, questionId, source, gold, verdict: outcome.kind, reviewId: review.id, by, at }
}

/** In the ledger the note stands as a salted digest. */
export function reviewEntry(review: StoredReview, said: Said, salt: string): LedgerEntry {
  const { runId, questionId } = review
  const { outcome, note, by, at } = said
  const digest = note === null ? null : saltedDigest(salt, note)
  const body = { ...aboutOf(review), isBlind: review.isBlind, outcome, by, note: digest }
  const texts = note === null || digest === null ? [] : [{ digest, salt, text: note, questionId }]
  return { runId, kind: 'review', at, body, texts }
}

/** An admin put back what somebody held. */
export function releaseEntry(
  { id: reviewId, runId, questionId }: StoredReview,
  { reviewer, by, at }: { readonly reviewer: string; readonly by: string; readonly at: Millis },
): LedgerEntry {
  return { runId, kind: 'claim-released', at, body: { reviewId, questionId, reviewer, by }, texts: [] }
}

export interface TakenBack {
  readonly said: Said
  /** Who takes it back. */
  readonly by: string
  readonly at: Millis
  readonly replacementId: string
}

export function undoneEntries(review: StoredReview, { said, by, at, replacementId }: TakenBack) {
  const { runId } = review
  const body = { ...aboutOf(review), outcome: said.outcome, submittedBy: said.by, submittedAt: said.at, by }
  return {
    undone: { runId, kind: 'review-undone', at, body, texts: [] },
    retracted: { runId, kind: 'review-retracted', at, body: { ...body, replacementId }, texts: [] },
  } satisfies Record<string, LedgerEntry>
}

export function reviewEvent(
  review: StoredReview,
  { outcome, by, at: submittedAt }: Said,
  when: Pick<ReviewEvent, 'event' | 'at' | 'notBefore'>,
): ReviewEvent {
  const { id: reviewId, runId, questionId, source } = review
  return { ...when, reviewId, body: { reviewId, runId, questionId, source, outcome, by, submittedAt } }
}

function aboutOf({ id: reviewId, questionId, source, reason }: StoredReview) {
  return { reviewId, questionId, source, reason }
}
