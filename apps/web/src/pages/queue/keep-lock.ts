import type { ReviewItem } from 'quorate/contract'
import { type Board, isRefusal, outcomeOf } from './desk-board.ts'
import { type Hand, handOf } from './desk-state.ts'
import { showTaken } from './take-items.ts'

export interface Moment {
  /** The server's clock less ours, in milliseconds. */
  readonly serverAhead: number
  /** When the reviewer last did anything, by our clock. */
  readonly activeAt: number
}

const LONGEST_PAUSE_MS = 10_000

/** Every second or so: keeps the lock while the reviewer is active, and says when it has run out. */
export function lockKeeper(board: Board): (moment: Moment) => void {
  let triedAt = Number.NEGATIVE_INFINITY
  return ({ serverAhead, activeAt }) => {
    const hand = handOf(board.state())
    if (hand === null || hand.isExpired || board.state().work !== null) return
    const left = lockLeft(hand, board.now() + serverAhead)
    if (left === null) return
    if (left <= 0) return board.setHand({ ...hand, isExpired: true }, { news: board.news('expired') })
    if (hand.lockMs === null) return board.setHand({ ...hand, lockMs: left })
    const isDue = left < hand.lockMs / 2 && activeAt > hand.lockedAt
    if (!isDue || board.now() - triedAt < Math.min(LONGEST_PAUSE_MS, hand.lockMs / 10)) return
    triedAt = board.now()
    void renew(board, hand)
  }
}

/** Milliseconds; null: not locked. */
export function lockLeft({ item }: Hand, serverNow: number): number | null {
  return item.lockedUntil === null ? null : item.lockedUntil - serverNow
}

/** Unasked, so a server that is gone for a moment is no news yet. */
async function renew(board: Board, { item: { id } }: Hand): Promise<void> {
  const renewed = await outcomeOf(board.act<ReviewItem>(id, 'claim'))
  const hand = handOf(board.state())
  if (hand?.item.id !== id || board.state().work !== null) return
  if (renewed.kind === 'done') {
    const { lockedUntil, assignee } = renewed.value
    board.setHand({ ...hand, item: { ...hand.item, lockedUntil, assignee }, lockedAt: board.now(), lockMs: null })
  } else if (isRefusal(renewed.error)) await showTaken(board, id, renewed.error)
}
