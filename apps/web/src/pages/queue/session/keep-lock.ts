import type { ReviewItem } from 'quorate/contract'
import { type Claim, claimOf } from './review-state.ts'
import { isRefusal, outcomeOf, type SessionStore } from './session-store.ts'
import { showTaken } from './take-items.ts'

export interface Tick {
  /** The server's clock less ours, in milliseconds. */
  readonly serverAhead: number
  /** When the reviewer last did anything, by our clock. */
  readonly activeAt: number
}

const LONGEST_PAUSE_MS = 10_000

/** Every second or so: keeps the lock while the reviewer is active, and says when it has run out. */
export function lockRenewal(store: SessionStore): (tick: Tick) => void {
  let triedAt = Number.NEGATIVE_INFINITY
  return ({ serverAhead, activeAt }) => {
    const claim = claimOf(store.state())
    if (claim === null || claim.isExpired || store.state().work !== null) return
    const left = lockLeft(claim, store.now() + serverAhead)
    if (left === null) return
    if (left <= 0) return store.setClaim({ ...claim, isExpired: true }, { news: store.news('expired') })
    if (claim.lockMs === null) return store.setClaim({ ...claim, lockMs: left })
    const isDue = left < claim.lockMs / 2 && activeAt > claim.lockedAt
    if (!isDue || store.now() - triedAt < Math.min(LONGEST_PAUSE_MS, claim.lockMs / 10)) return
    triedAt = store.now()
    void renew(store, claim)
  }
}

/** Milliseconds; null: not locked. */
export function lockLeft({ item }: Claim, serverNow: number): number | null {
  return item.lockedUntil === null ? null : item.lockedUntil - serverNow
}

/** Unasked, so a server that is gone for a moment is no news yet. */
async function renew(store: SessionStore, { item: { id } }: Claim): Promise<void> {
  const renewed = await outcomeOf(store.act<ReviewItem>(id, 'claim'))
  const claim = claimOf(store.state())
  if (claim?.item.id !== id || store.state().work !== null) return
  if (renewed.kind === 'done') {
    const { lockedUntil, assignee } = renewed.value
    store.setClaim({ ...claim, item: { ...claim.item, lockedUntil, assignee }, lockedAt: store.now(), lockMs: null })
  } else if (isRefusal(renewed.error)) await showTaken(store, id, renewed.error)
}
