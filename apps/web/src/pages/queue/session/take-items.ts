import type { NextReview, ReviewItem } from 'quorate/contract'
import type { ApiError } from '../../../api/client.ts'
import { type Claim, claimOf, EMPTY_DRAFT, type ReviewState } from './review-state.ts'
import { isRefusal, outcomeOf, type SessionStore } from './session-store.ts'

export type Following =
  | { readonly kind: 'item'; readonly claim: Claim; readonly progress?: NextReview['progress'] }
  | { readonly kind: 'none'; readonly progress: NextReview['progress'] }
  | { readonly kind: 'failed'; readonly error: unknown; readonly progress?: undefined }

/** Claims the next item: the one set aside if it is still available, or else the server's choice. */
export async function following(store: SessionStore): Promise<Following> {
  const { aside } = store.state()
  if (aside !== null) {
    const claimed = await outcomeOf(store.act<ReviewItem>(aside.item.id, 'claim'))
    if (claimed.kind === 'done') return { kind: 'item', claim: store.newClaim(claimed.value, aside.draft) }
    if (!isRefusal(claimed.error)) return claimed
  }
  const next = await outcomeOf(store.post<NextReview>('next'))
  if (next.kind === 'failed') return next
  const { item, progress } = next.value
  return item === null ? { kind: 'none', progress } : { kind: 'item', claim: store.newClaim(item), progress }
}

/** Makes the next item the current one and ends the work under way. */
export function settle(store: SessionStore, next: Following, patch: Partial<ReviewState> = {}): void {
  const all: Partial<ReviewState> = { work: null, problem: null, ...patch }
  const progress = patch.progress ?? next.progress ?? store.state().progress
  const rest = { ...all, progress, aside: null }
  if (next.kind === 'failed') store.set({ place: { kind: 'failed', error: next.error, id: null }, ...all })
  else if (next.kind === 'none') store.set({ place: { kind: 'none' }, ...rest })
  else store.setClaim(next.claim, rest)
}

/** Called when the page opens. Claims the item with this id, or the next one if the id is null. */
export async function start(store: SessionStore, id: string | null): Promise<void> {
  const { place, work } = store.state()
  if (work !== null) return
  if (id !== null) return claimOf(store.state())?.item.id === id ? undefined : await claimItem(store, id)
  const before = store.remembered()
  if (place.kind === 'fresh' && before !== null) return await resume(store, before)
  if (place.kind !== 'item' && place.kind !== 'resting') await takeNext(store)
}

export async function takeNext(store: SessionStore): Promise<void> {
  if (store.state().work !== null) return
  store.set({ place: { kind: 'taking' }, work: 'claim', problem: null })
  settle(store, await following(store))
}

/** Claims the current item again after its claim has expired. */
export async function claimAgain(store: SessionStore): Promise<void> {
  const claim = store.begin('claim')
  if (claim === null) return
  const claimed = await outcomeOf(store.act<ReviewItem>(claim.item.id, 'claim'))
  if (claimed.kind === 'done') {
    store.setClaim(store.newClaim(claimed.value, claim.draft), { work: null, news: store.news('claimed') })
  } else if (isRefusal(claimed.error)) await showTaken(store, claim.item.id, claimed.error)
  else store.fail('claim', claimed.error)
}

/** Looks up who has the item, because the refusal does not say until when. */
export async function showTaken(store: SessionStore, id: string, error: ApiError): Promise<void> {
  if (error.status === 404) return store.set({ place: { kind: 'missing', id }, work: null, problem: null, news: null })
  const item = await store.find(id).catch(() => null) // the page then shows only the refusal
  store.set({ place: { kind: 'taken', item, detail: error.message }, work: null, problem: null, news: null })
}

/** Claims an item and sets the current one aside. */
async function claimItem(store: SessionStore, id: string): Promise<void> {
  const before = claimOf(store.state()) ?? store.state().aside
  store.set({ place: { kind: 'taking' }, work: 'claim', problem: null, aside: before })
  const claimed = await outcomeOf(store.act<ReviewItem>(id, 'claim'))
  if (claimed.kind === 'done') {
    const isBack = before?.item.id === id
    const claim = store.newClaim(claimed.value, isBack ? before.draft : EMPTY_DRAFT)
    store.setClaim(claim, { work: null, aside: isBack ? null : before })
  } else if (isRefusal(claimed.error)) await showTaken(store, id, claimed.error)
  else store.set({ place: { kind: 'failed', error: claimed.error, id }, work: null })
}

/** Claims the item that this tab had before a reload, or else the next one. */
async function resume(store: SessionStore, id: string): Promise<void> {
  store.set({ place: { kind: 'taking' }, work: 'claim', problem: null })
  const claimed = await outcomeOf(store.act<ReviewItem>(id, 'claim'))
  if (claimed.kind === 'done') store.setClaim(store.newClaim(claimed.value), { work: null })
  else if (isRefusal(claimed.error)) settle(store, await following(store))
  else store.set({ place: { kind: 'failed', error: claimed.error, id }, work: null })
}
