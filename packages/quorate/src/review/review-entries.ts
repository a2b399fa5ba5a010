import type { ReviewOutcome } from '../contract/reviews.ts'
import type { QuestionKey } from '../record/question.ts'
import { saltedDigest } from '../store/decisions/ledger-chain.ts'
import type { LedgerEntry, Millis, StoredLabel, StoredReview } from '../store/store.ts'
import { labelParts } from './open-answer-review.ts'
import type { ReviewEvent } from './review-service.ts'

/** A reviewer's outcome for an item. */
export interface SubmittedOutcome {
  readonly outcome: ReviewOutcome
  readonly note: string | null
  readonly by: string
  readonly at: Millis
}

/** The label of a submission. `decided` is the class of the open answer that was acted on, else null. */
export function labelOf(
  review: StoredReview,
  { outcome, by, at }: SubmittedOutcome,
  { id, decided }: { readonly id: string; readonly decided: string | null },
): Required<StoredLabel> {
  const { runId, questionId, source } = review
  const parts = labelParts(outcome, decided)
  return { id, runId, questionId, source, ...parts, verdict: outcome.kind, reviewId: review.id, by, at }
}

/** The ledger contains the note and a typed answer only as salted digests, so that the texts can be erased. */
export function reviewEntry(review: StoredReview, submission: SubmittedOutcome, salt: string): LedgerEntry {
  const { runId, questionId } = review
  const { note, by, at } = submission
  const outcome = ledgerOutcome(submission.outcome, salt)
  const digest = note === null ? null : saltedDigest(salt, note)
  const body = { ...aboutOf(review), isBlind: review.isBlind, outcome, by, note: digest }
  const texts = [...typedTexts(submission.outcome), ...(note === null ? [] : [note])]
  return { runId, kind: 'review', at, body, texts: ledgerTexts(texts, salt, questionId) }
}

function ledgerOutcome(outcome: ReviewOutcome, salt: string) {
  return outcome.kind === 'answer' ? { ...outcome, text: saltedDigest(salt, outcome.text) } : outcome
}

function typedTexts(outcome: ReviewOutcome): readonly string[] {
  return outcome.kind === 'answer' ? [outcome.text] : []
}

function ledgerTexts(texts: readonly string[], salt: string, questionId: string): LedgerEntry['texts'] {
  return texts.map((text) => ({ digest: saltedDigest(salt, text), salt, text, questionId }))
}

/** The entry for a reviewer's claim that an admin released. */
export function releaseEntry(
  { id: reviewId, runId, questionId }: StoredReview,
  { reviewer, by, at }: { readonly reviewer: string; readonly by: string; readonly at: Millis },
): LedgerEntry {
  return { runId, kind: 'claim-released', at, body: { reviewId, questionId, reviewer, by }, texts: [] }
}

/** The entry for an assignment or a due date that an admin set. */
export function assignmentEntry(
  { id: reviewId, runId, questionId, assignedTo, dueAt }: StoredReview,
  { by, at }: { readonly by: string; readonly at: Millis },
): LedgerEntry {
  return { runId, kind: 'review-assigned', at, body: { reviewId, questionId, assignedTo, dueAt, by }, texts: [] }
}

/** The entry for a decision that a person sent to review. */
export function requestEntry(
  { id: reviewId, runId, questionId }: QuestionKey & { readonly id: string },
  { by, at }: { readonly by: string; readonly at: Millis },
): LedgerEntry {
  return { runId, kind: 'review-requested', at, body: { reviewId, questionId, by }, texts: [] }
}

/** The entries for an undone and for a retracted submission, of which the store writes one. `by` is who undoes it. */
export function undoneEntries(
  review: StoredReview,
  submission: SubmittedOutcome,
  undoing: { readonly by: string; readonly at: Millis; readonly replacementId: string; readonly salt: string },
) {
  const { runId, questionId } = review
  const { by, at, replacementId, salt } = undoing
  const body = {
    ...aboutOf(review),
    outcome: ledgerOutcome(submission.outcome, salt),
    submittedBy: submission.by,
    submittedAt: submission.at,
    by,
  }
  const texts = ledgerTexts(typedTexts(submission.outcome), salt, questionId)
  return {
    undone: { runId, kind: 'review-undone', at, body, texts },
    retracted: { runId, kind: 'review-retracted', at, body: { ...body, replacementId }, texts },
  } satisfies Record<string, LedgerEntry>
}

export function reviewEvent(
  review: StoredReview,
  { outcome, by, at: submittedAt }: SubmittedOutcome,
  when: Pick<ReviewEvent, 'event' | 'at' | 'notBefore'>,
): ReviewEvent {
  const { id: reviewId, runId, questionId, source } = review
  const sent = outcome.kind === 'answer' ? { kind: outcome.kind } : outcome
  return { ...when, reviewId, body: { reviewId, runId, questionId, source, outcome: sent, by, submittedAt } }
}

/** For a second or third reading, it also names the first. */
function aboutOf({ id: reviewId, questionId, source, reason, part, root }: StoredReview) {
  return { reviewId, questionId, source, reason, ...(part === 1 ? {} : { part, root }) }
}
