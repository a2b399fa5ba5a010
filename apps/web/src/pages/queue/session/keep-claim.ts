import type { ReviewItem } from 'quorate/contract'
import { type Claim, claimOf } from './review-state.ts'
import { isRefusal, outcomeOf, type SessionStore } from './session-store.ts'
import { showTaken } from './take-items.ts'

export interface Tick {
  /** The server's clock minus ours, in milliseconds. */
  readonly serverAhead: number
  /** When the reviewer was last active, by our clock. */
  readonly activeAt: number
}

/** Renewals are retried after this time at the latest. */
const MAX_RETRY_MS = 10_000

/** Called about every second. Renews the claim while the reviewer is active, and reports when it has expired. */
export function claimRenewal(store: SessionStore): (tick: Tick) => void {
  let triedAt = Number.NEGATIVE_INFINITY
  return ({ serverAhead, activeAt }) => {
    const claim = claimOf(store.state())
    if (claim === null || claim.isExpired || store.state().work !== null) return
    const left = claimLeft(claim, store.now() + serverAhead)
    if (left === null) return
    if (left <= 0) return store.setClaim({ ...claim, isExpired: true }, { news: store.news('expired') })
    if (claim.claimMs === null) return store.setClaim({ ...claim, claimMs: left })
    const isDue = left < claim.claimMs / 2 && activeAt > claim.claimedAt
    if (!isDue || store.now() - triedAt < Math.min(MAX_RETRY_MS, claim.claimMs / 10)) return
    triedAt = store.now()
    void renew(store, claim)
  }
}

/** The time until the claim expires, in milliseconds; null if nobody has claimed the item. */
export function claimLeft({ item }: Claim, serverNow: number): number | null {
  return item.claimedUntil === null ? null : item.claimedUntil - serverNow
}

/** Runs in the background, so a server that is briefly unreachable is not reported. */
async function renew(store: SessionStore, { item: { id } }: Claim): Promise<void> {
  const renewed = await outcomeOf(store.act<ReviewItem>(id, 'claim'))
  const claim = claimOf(store.state())
  if (claim?.item.id !== id || store.state().work !== null) return
  if (renewed.kind === 'done') {
    const { claimedUntil, claimedBy } = renewed.value
    store.setClaim({
      ...claim,
      item: { ...claim.item, claimedUntil, claimedBy },
      claimedAt: store.now(),
      claimMs: null,
    })
  } else if (isRefusal(renewed.error)) await showTaken(store, id, renewed.error)
}
