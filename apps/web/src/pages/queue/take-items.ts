import type { NextReview, ReviewItem } from 'quorate/contract'
import type { ApiError } from '../../api/client.ts'
import { type Board, isRefusal, outcomeOf } from './desk-board.ts'
import { type DeskState, EMPTY_DRAFT, type Hand, handOf } from './desk-state.ts'

export type Following =
  | { readonly kind: 'item'; readonly hand: Hand; readonly progress?: NextReview['progress'] }
  | { readonly kind: 'none'; readonly progress: NextReview['progress'] }
  | { readonly kind: 'failed'; readonly error: unknown; readonly progress?: undefined }

/** What comes next: the item that was laid aside while it is still to be had, else the server's choice. */
export async function following(board: Board): Promise<Following> {
  const { aside } = board.state()
  if (aside !== null) {
    const claimed = await outcomeOf(board.act<ReviewItem>(aside.item.id, 'claim'))
    if (claimed.kind === 'done') return { kind: 'item', hand: board.freshHand(claimed.value, aside.draft) }
    if (!isRefusal(claimed.error)) return claimed
  }
  const next = await outcomeOf(board.post<NextReview>('next'))
  if (next.kind === 'failed') return next
  const { item, progress } = next.value
  return item === null ? { kind: 'none', progress } : { kind: 'item', hand: board.freshHand(item), progress }
}

export function settle(board: Board, next: Following, patch: Partial<DeskState> = {}): void {
  const all: Partial<DeskState> = { work: null, problem: null, ...patch }
  const progress = patch.progress ?? next.progress ?? board.state().progress
  const rest = { ...all, progress, aside: null }
  if (next.kind === 'failed') board.set({ place: { kind: 'failed', error: next.error, id: null }, ...all })
  else if (next.kind === 'none') board.set({ place: { kind: 'none' }, ...rest })
  else board.setHand(next.hand, rest)
}

/** On entering the page; with the id of an item: that one. */
export async function start(board: Board, id: string | null): Promise<void> {
  const { place, work } = board.state()
  if (work !== null) return
  if (id !== null) return handOf(board.state())?.item.id === id ? undefined : await claim(board, id)
  const before = board.remembered()
  if (place.kind === 'fresh' && before !== null) return await resume(board, before)
  if (place.kind !== 'item' && place.kind !== 'resting') await takeNext(board)
}

export async function takeNext(board: Board): Promise<void> {
  if (board.state().work !== null) return
  board.set({ place: { kind: 'taking' }, work: 'claim', problem: null })
  settle(board, await following(board))
}

/** After the lock ran out. */
export async function claimAgain(board: Board): Promise<void> {
  const hand = board.begin('claim')
  if (hand === null) return
  const claimed = await outcomeOf(board.act<ReviewItem>(hand.item.id, 'claim'))
  if (claimed.kind === 'done') {
    board.setHand(board.freshHand(claimed.value, hand.draft), { work: null, news: board.news('claimed') })
  } else if (isRefusal(claimed.error)) await showTaken(board, hand.item.id, claimed.error)
  else board.fail('claim', claimed.error)
}

/** Whoever has it now is asked for: the refusal alone does not say until when. */
export async function showTaken(board: Board, id: string, error: ApiError): Promise<void> {
  const item = await board.look(id).catch(() => null) // what is not known is not shown
  board.set({ place: { kind: 'taken', item, detail: error.message }, work: null, problem: null, news: null })
}

/** What is in hand is laid aside, to come back to. */
async function claim(board: Board, id: string): Promise<void> {
  const before = handOf(board.state()) ?? board.state().aside
  board.set({ place: { kind: 'taking' }, work: 'claim', problem: null, aside: before })
  const claimed = await outcomeOf(board.act<ReviewItem>(id, 'claim'))
  if (claimed.kind === 'done') {
    const isBack = before?.item.id === id
    const hand = board.freshHand(claimed.value, isBack ? before.draft : EMPTY_DRAFT)
    board.setHand(hand, { work: null, aside: isBack ? null : before })
  } else if (isRefusal(claimed.error)) await showTaken(board, id, claimed.error)
  else board.set({ place: { kind: 'failed', error: claimed.error, id }, work: null })
}

/** The item that this tab had before it was loaded again, else the next one. */
async function resume(board: Board, id: string): Promise<void> {
  board.set({ place: { kind: 'taking' }, work: 'claim', problem: null })
  const claimed = await outcomeOf(board.act<ReviewItem>(id, 'claim'))
  if (claimed.kind === 'done') board.setHand(board.freshHand(claimed.value), { work: null })
  else if (isRefusal(claimed.error)) settle(board, await following(board))
  else board.set({ place: { kind: 'failed', error: claimed.error, id }, work: null })
}
