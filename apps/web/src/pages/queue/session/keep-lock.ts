import type { ReviewItem } from 'quorate/contract'
import { type Hand, handOf } from './review-state.ts'
import { isRefusal, outcomeOf, type SessionStore } from './session-store.ts'
import { showTaken } from './take-items.ts'

export interface Moment {
  /** The server's clock less ours, in milliseconds. */
  readonly serverAhead: number
  /** When the reviewer last did anything, by our clock. */
  readonly activeAt: number
}

const LONGEST_PAUSE_MS = 10_000

/** Every second or so: keeps the lock while the reviewer is active, and says when it has run out. */
export function lockRenewal(store: SessionStore): (moment: Moment) => void {
  let triedAt = Number.NEGATIVE_INFINITY
  return ({ serverAhead, activeAt }) => {
    const hand = handOf(store.state())
    if (hand === null || hand.isExpired || store.state().work !== null) return
    const left = lockLeft(hand, store.now() + serverAhead)
    if (left === null) return
    if (left <= 0) return store.setHand({ ...hand, isExpired: true }, { news: store.news('expired') })
    if (hand.lockMs === null) return store.setHand({ ...hand, lockMs: left })
    const isDue = left < hand.lockMs / 2 && activeAt > hand.lockedAt
    if (!isDue || store.now() - triedAt < Math.min(LONGEST_PAUSE_MS, hand.lockMs / 10)) return
    triedAt = store.now()
    void renew(store, hand)
  }
}

/** Milliseconds; null: not locked. */
export function lockLeft({ item }: Hand, serverNow: number): number | null {
  return item.lockedUntil === null ? null : item.lockedUntil - serverNow
}

/** Unasked, so a server that is gone for a moment is no news yet. */
async function renew(store: SessionStore, { item: { id } }: Hand): Promise<void> {
  const renewed = await outcomeOf(store.act<ReviewItem>(id, 'claim'))
  const hand = handOf(store.state())
  if (hand?.item.id !== id || store.state().work !== null) return
  if (renewed.kind === 'done') {
    const { lockedUntil, assignee } = renewed.value
    store.setHand({ ...hand, item: { ...hand.item, lockedUntil, assignee }, lockedAt: store.now(), lockMs: null })
  } else if (isRefusal(renewed.error)) await showTaken(store, id, renewed.error)
}
