import type { QueueProgress, ReviewItem, SubmittedReview, UndoneReview } from 'quorate/contract'
import { type Board, outcomeOf } from './desk-board.ts'
import { type DeskState, handOf, isUnrevealed, type Said } from './desk-state.ts'
import { following, settle } from './take-items.ts'

const MOST_SAID = 5

/** The next item is asked for at the same time; if the submit fails it is laid aside and nothing else changes. */
export async function submit(board: Board, undoMs: number): Promise<void> {
  const chosen = handOf(board.state())
  const outcome = chosen?.draft.outcome ?? null
  if (chosen === null || outcome === null || chosen.isExpired) return
  const hand = board.begin('submit')
  if (hand === null) return
  const { note } = hand.draft
  const sentAt = board.now()
  const body = { outcome, ...(note.trim() === '' ? {} : { note }) }
  const [sent, next] = await Promise.all([
    outcomeOf(board.act<SubmittedReview>(hand.item.id, 'submit', body)),
    following(board),
  ])
  if (sent.kind === 'failed') {
    if (next.kind === 'item') board.set({ aside: next.hand })
    return board.fail('submit', sent.error)
  }
  const { item, progress } = sent.value
  // One round trip early, so that what is offered as an undo does not become a retraction on the way.
  const undoUntil = sentAt + undoMs - (board.now() - sentAt)
  const said = [{ item, outcome, note, undoUntil, isRetracted: false }, ...board.state().said].slice(0, MOST_SAID)
  settle(board, next, { said, progress, news: board.news('submitted') })
}

export async function skip(board: Board): Promise<void> {
  const hand = board.begin('skip')
  if (hand === null) return
  const skipped = await outcomeOf(board.act<ReviewItem>(hand.item.id, 'skip'))
  if (skipped.kind === 'failed') return board.fail('skip', skipped.error)
  const next = await following(board)
  const cameBack = next.kind === 'item' && next.hand.item.id === hand.item.id
  settle(board, next, { news: board.news(cameBack ? 'came-back' : 'skipped') })
}

export async function release(board: Board): Promise<void> {
  const hand = board.begin('release')
  if (hand === null) return
  const released = await outcomeOf(board.act<ReviewItem>(hand.item.id, 'release'))
  if (released.kind === 'failed') return board.fail('release', released.error)
  board.set({ place: { kind: 'resting' }, work: null, news: board.news('released') })
}

/** In time the item comes back into the reviewer's hands, with what was chosen; later it is retracted. */
export async function undo(board: Board, id: string): Promise<void> {
  const state = board.state()
  const said = state.said.find(({ item, isRetracted }) => item.id === id && !isRetracted)
  if (said === undefined || state.work !== null) return
  board.set({ work: 'undo', problem: null })
  const undone = await outcomeOf(board.act<UndoneReview>(id, 'undo'))
  if (undone.kind === 'failed') return board.fail('undo', undone.error)
  const { kind, item } = undone.value
  const progress = takenBack(state.progress)
  if (kind === 'retracted') {
    const all = state.said.map((one) => (one === said ? { ...one, isRetracted: true } : one))
    return board.set({ work: null, said: all, progress, news: board.news('retracted') })
  }
  const { outcome, note } = said
  const rest: Partial<DeskState> = { said: state.said.filter((one) => one !== said), progress }
  const aside = handOf(state) ?? state.aside
  board.setHand(board.freshHand(item, { outcome, note }), { ...rest, aside, work: null, news: board.news('undone') })
}

const ASK_AGAIN_MS = 2000

/**
 * Every second or so: what the panel said of a blind item is asked for when the time to undo is over, which the server
 * keeps by its own clock.
 */
export function revealer(board: Board): () => void {
  let askedAt = Number.NEGATIVE_INFINITY
  return () => {
    const due = board.state().said.find((said) => isUnrevealed(said) && said.undoUntil <= board.now())
    if (due === undefined || board.now() - askedAt < ASK_AGAIN_MS) return
    askedAt = board.now()
    void reveal(board, due)
  }
}

async function reveal(board: Board, due: Said): Promise<void> {
  const found = await outcomeOf(board.look(due.item.id))
  // Unasked, so what fails is no news: it is asked again.
  if (found.kind === 'failed' || found.value.source === null) return
  const { said } = board.state()
  const item = found.value
  board.set({ said: said.map((one) => (one.item === due.item ? { ...one, item } : one)) })
}

/** The answer to an undo has no progress of its own. */
function takenBack(progress: QueueProgress | null): QueueProgress | null {
  if (progress === null) return null
  const { waiting, mineToday, submitted } = progress
  return {
    ...progress,
    waiting: waiting + 1,
    mineToday: Math.max(0, mineToday - 1),
    submitted: Math.max(0, submitted - 1),
  }
}
