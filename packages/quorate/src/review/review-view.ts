import type { DebateView } from '../contract/debates.ts'
import { outcomeSchema, type ReviewItem, type ReviewOutcome, type ReviewRow } from '../contract/reviews.ts'
import { parseStored } from '../record/parse-stored.ts'
import type { Millis, StoredReview } from '../store/store.ts'
import { type AskedQuestion, excerptOf } from './asked-question.ts'

/**
 * Blind until it is submitted and can no longer be undone unseen: who has looked must not say something else. What was not
 * handed out yet may become blind.
 */
export function isHidden({ status, isBlind, undoUntil }: StoredReview, now: Millis): boolean {
  if (status === 'waiting') return isBlind !== false
  return status === 'submitted' && isBlind === true && undoUntil !== null && now < undoUntil
}

export interface ItemParts {
  readonly asked: AskedQuestion
  /** Not shown of a hidden item, whatever is given. */
  readonly evidence: DebateView | null
  readonly now: Millis
}

export function reviewItem(review: StoredReview, { asked, evidence, now }: ItemParts): ReviewItem {
  const { question, options } = asked
  const { outcome, note } = review
  return {
    ...commonOf(review, { asked, now }),
    question,
    options,
    note,
    evidence: isHidden(review, now) ? null : evidence,
    outcome: outcome === null ? null : readOutcome(outcome),
  }
}

export function reviewRow(review: StoredReview, parts: Pick<ItemParts, 'asked' | 'now'>): ReviewRow {
  return { ...commonOf(review, parts), excerpt: excerptOf(parts.asked.question) }
}

export function readOutcome(json: string): ReviewOutcome {
  return parseStored(outcomeSchema, json, 'the outcome of a review')
}

function commonOf(review: StoredReview, { asked, now }: Pick<ItemParts, 'asked' | 'now'>) {
  const { id, createdAt, source, reason, status, assignee, lockedUntil } = review
  const hidden = isHidden(review, now)
  // A lock that ran out holds nobody back.
  const isHeld = lockedUntil !== null && lockedUntil > now
  return {
    id,
    createdAt,
    status,
    group: asked.group,
    isBlind: review.isBlind ?? hidden,
    source: hidden ? null : source,
    reason: hidden ? null : reason,
    assignee: isHeld ? assignee : null,
    lockedUntil: isHeld ? lockedUntil : null,
  }
}
