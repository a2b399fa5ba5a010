import type { ReviewOutcome } from 'quorate/contract'
import { createBoard, type DeskTools } from './desk-board.ts'
import { type DeskState, type Draft, handOf } from './desk-state.ts'
import { lockKeeper, type Moment } from './keep-lock.ts'
import { release, revealer, skip, submit, undo } from './say-outcomes.ts'
import { claimAgain, start, takeNext } from './take-items.ts'

/** The reviewer's end of the queue: at most one item in front of them, kept while they look at other pages. */
export interface Desk {
  readonly snapshot: () => DeskState
  readonly subscribe: (changed: () => void) => () => void
  /** On entering the page; with the id of an item: that one. */
  readonly start: (id: string | null) => Promise<void>
  readonly choose: (outcome: ReviewOutcome) => void
  readonly write: (note: string) => void
  readonly submit: (undoMs: number) => Promise<void>
  readonly skip: () => Promise<void>
  readonly release: () => Promise<void>
  readonly claimAgain: () => Promise<void>
  readonly takeNext: () => Promise<void>
  readonly undo: (id: string) => Promise<void>
  readonly tick: (moment: Moment) => void
}

export function createDesk(tools: DeskTools): Desk {
  const board = createBoard(tools)
  const keepLock = lockKeeper(board)
  const revealDue = revealer(board)
  const change = (patch: Partial<Draft>) => {
    const { work } = board.state()
    const hand = handOf(board.state())
    if (hand !== null && work === null) board.setHand({ ...hand, draft: { ...hand.draft, ...patch } })
  }
  return {
    snapshot: board.state,
    subscribe: board.subscribe,
    start: (id) => start(board, id),
    choose: (outcome) => change({ outcome }),
    write: (note) => change({ note }),
    submit: (undoMs) => submit(board, undoMs),
    skip: () => skip(board),
    release: () => release(board),
    claimAgain: () => claimAgain(board),
    takeNext: () => takeNext(board),
    undo: (id) => undo(board, id),
    tick: (moment) => {
      keepLock(moment)
      revealDue()
    },
  }
}
