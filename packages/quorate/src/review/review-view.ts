import type { Equivalence } from '../answers/equivalence.ts'
import type { DebateView } from '../contract/debates.ts'
import { outcomeSchema, type ReviewItem, type ReviewOutcome, type ReviewRow } from '../contract/reviews.ts'
import { parseStored } from '../record/parse-stored.ts'
import type { Millis, StoredReview } from '../store/store.ts'
import { type AskedQuestion, excerptOf } from './asked-question.ts'
import { openAsk, shownOutcome } from './open-answers.ts'

/**
 * Blind until it is submitted and can no longer be undone unseen: who has looked must not say something else. What was not
 * handed out yet may become blind.
 */
export function isHidden({ status, isBlind, undoUntil }: StoredReview, now: Millis): boolean {
  if (status === 'waiting') return isBlind !== false
  return status === 'submitted' && isBlind === true && undoUntil !== null && now < undoUntil
}

export interface RowParts {
  readonly asked: AskedQuestion
  /** It, or another item about its question, hides the panel from who asks. */
  readonly isKept: boolean
  readonly now: Millis
}

export interface ItemParts extends RowParts {
  /** By which answers are told apart; null: answers are chosen, or the rules are not known. */
  readonly rules: Equivalence | null
  /** Not shown of an item that is kept, whatever is given. */
  readonly evidence: DebateView | null
  /** Who asks has answered it. */
  readonly isOwn: boolean
}

export function reviewItem(
  review: StoredReview,
  { asked, rules, evidence, isKept, isOwn, now }: ItemParts,
): ReviewItem {
  const { question, options, classes } = asked
  // What one person said is kept from the next who is asked the same.
  const isShown = review.outcome !== null && (isOwn || !isKept)
  const outcome = isShown && review.outcome !== null ? readOutcome(review.outcome) : null
  return {
    ...commonOf(review, { asked, isKept, now }),
    question,
    asks: classes === null ? { kind: 'option' } : openAsk({ review, isHidden: isKept, classes, rules }),
    options,
    note: isShown ? review.note : null,
    evidence: isKept ? null : evidence,
    outcome: outcome === null || classes === null ? outcome : shownOutcome(review.id, classes, outcome),
  }
}

export function reviewRow(review: StoredReview, parts: RowParts): ReviewRow {
  return { ...commonOf(review, parts), excerpt: excerptOf(parts.asked.question) }
}

export function readOutcome(json: string): ReviewOutcome {
  return parseStored(outcomeSchema, json, 'the outcome of a review')
}

function commonOf(review: StoredReview, { asked, isKept, now }: RowParts) {
  const { id, createdAt, source, reason, status, assignee, lockedUntil, assignedTo, dueAt } = review
  // A lock that ran out holds nobody back.
  const isClaimed = lockedUntil !== null && lockedUntil > now
  return {
    id,
    createdAt,
    status,
    group: asked.group,
    isBlind: review.isBlind ?? isHidden(review, now),
    source: isKept ? null : source,
    reason: isKept ? null : reason,
    assignee: isClaimed ? assignee : null,
    lockedUntil: isClaimed ? lockedUntil : null,
    assignedTo,
    dueAt,
  }
}
