import type { Millis, StoredReview } from '../store/store.ts'
import type { Refusal } from './review-service.ts'

/** Why a claim was refused, by what the item is now. */
export function claimRefusal(review: StoredReview | null): Refusal {
  if (review === null) return { kind: 'not-found' }
  const { status, assignee, lockedUntil } = review
  if (status !== 'waiting') return { kind: 'already-submitted', status }
  return { kind: 'locked-by-other', assignee: assignee ?? '', lockedUntil: lockedUntil ?? 0 }
}

/** Nobody else holds it, so it is about who asks. */
export function takeRefusal(review: StoredReview | null, now: Millis, reviewer: string): Refusal {
  if (review?.status !== 'waiting') return claimRefusal(review)
  const { assignee, lockedUntil } = review
  const isHeld = assignee !== reviewer && lockedUntil !== null && lockedUntil > now
  return isHeld ? claimRefusal(review) : { kind: 'knows-panel' }
}

/** Why something that needs the lock was refused. */
export function submitRefusal(review: StoredReview | null, now: Millis): Refusal {
  if (review === null || review.status !== 'waiting') return claimRefusal(review)
  const { assignee, lockedUntil } = review
  const isHeld = lockedUntil !== null && lockedUntil > now
  return isHeld ? claimRefusal(review) : { kind: 'not-yours', assignee }
}

/** It was undone and perhaps submitted again by another meanwhile, or is another's. */
export function undoRefusal(review: StoredReview | null): Refusal {
  if (review === null) return { kind: 'not-found' }
  return review.by === null ? { kind: 'not-submitted' } : { kind: 'not-yours', assignee: review.by }
}
