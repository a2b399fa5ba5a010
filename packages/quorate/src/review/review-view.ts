import type { Equivalence } from '../answers/equivalence.ts'
import type { DebateView } from '../contract/debates.ts'
import { outcomeSchema, type ReviewItem, type ReviewOutcome, type ReviewRow } from '../contract/reviews.ts'
import { parseStored } from '../record/parse-stored.ts'
import type { Millis, StoredReview } from '../store/store.ts'
import { openAsk, shownOutcome } from './open-answer-review.ts'
import { excerptOf, type ReviewedQuestion } from './reviewed-question.ts'

/**
 * Whether an item hides the panel's answer. A blind item does until it is submitted and can no longer be undone: a reviewer who
 * has seen the answer must not change the review. An item that nobody has claimed yet may become blind, so it hides it too.
 */
export function isHidden({ status, isBlind, undoUntil }: StoredReview, now: Millis): boolean {
  if (status === 'waiting') return isBlind !== false
  return status === 'submitted' && isBlind === true && undoUntil !== null && now < undoUntil
}

export interface RowParts {
  readonly asked: ReviewedQuestion
  /** The item, or another item about its question, hides the panel's answer from the caller. */
  readonly isPanelHidden: boolean
  readonly now: Millis
}

export interface ItemParts extends RowParts {
  /** How open answers are compared; null: there are options, or the rules are not known. */
  readonly rules: Equivalence | null
  /** Never shown while the panel's answer is hidden. */
  readonly evidence: DebateView | null
  /** The caller submitted it. */
  readonly isOwn: boolean
}

export function reviewItem(
  review: StoredReview,
  { asked, rules, evidence, isPanelHidden, isOwn, now }: ItemParts,
): ReviewItem {
  const { question, options, classes } = asked
  // One person's outcome is hidden from the next person who is asked the same question.
  const isShown = review.outcome !== null && (isOwn || !isPanelHidden)
  const outcome = isShown && review.outcome !== null ? readOutcome(review.outcome) : null
  return {
    ...commonOf(review, { asked, isPanelHidden, now }),
    question,
    asks: classes === null ? { kind: 'option' } : openAsk({ review, isHidden: isPanelHidden, classes, rules }),
    options,
    note: isShown ? review.note : null,
    evidence: isPanelHidden ? null : evidence,
    outcome: outcome === null || classes === null ? outcome : shownOutcome(review.id, classes, outcome),
  }
}

export function reviewRow(review: StoredReview, parts: RowParts): ReviewRow {
  return { ...commonOf(review, parts), excerpt: excerptOf(parts.asked.question) }
}

export function readOutcome(json: string): ReviewOutcome {
  return parseStored(outcomeSchema, json, 'the outcome of a review')
}

function commonOf(review: StoredReview, { asked, isPanelHidden, now }: RowParts) {
  const { id, createdAt, source, reason, status, claimedBy, claimedUntil, assignedTo, dueAt } = review
  // An expired claim no longer blocks anybody.
  const isClaimed = claimedUntil !== null && claimedUntil > now
  return {
    id,
    createdAt,
    status,
    group: asked.group,
    isBlind: review.isBlind ?? isHidden(review, now),
    source: isPanelHidden ? null : source,
    reason: isPanelHidden ? null : reason,
    claimedBy: isClaimed ? claimedBy : null,
    claimedUntil: isClaimed ? claimedUntil : null,
    assignedTo,
    dueAt,
  }
}
