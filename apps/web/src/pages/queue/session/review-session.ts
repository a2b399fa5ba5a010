import type { ReviewOutcome } from 'quorate/contract'
import { claimRenewal, type Tick } from './keep-claim.ts'
import { claimOf, type Draft, type ReviewState } from './review-state.ts'
import { createSessionStore, type SessionTools } from './session-store.ts'
import { release, revealer, skip, submit, undo } from './submit-outcomes.ts'
import { claimAgain, start, takeNext } from './take-items.ts'

/** The reviewer's view of the queue. At most one item is current, and it stays so while the user visits other pages. */
export interface ReviewSession {
  readonly snapshot: () => ReviewState
  readonly subscribe: (changed: () => void) => () => void
  /** Called when the page opens. Claims the item with this id, or the next one if the id is null. */
  readonly start: (id: string | null) => Promise<void>
  readonly choose: (outcome: ReviewOutcome) => void
  readonly write: (note: string) => void
  readonly submit: (undoMs: number) => Promise<void>
  readonly skip: () => Promise<void>
  readonly release: () => Promise<void>
  readonly claimAgain: () => Promise<void>
  readonly takeNext: () => Promise<void>
  readonly undo: (id: string) => Promise<void>
  readonly tick: (tick: Tick) => void
}

export function createReviewSession(tools: SessionTools): ReviewSession {
  const store = createSessionStore(tools)
  const keepClaim = claimRenewal(store)
  const revealDue = revealer(store)
  const change = (patch: Partial<Draft>) => {
    const { work } = store.state()
    const claim = claimOf(store.state())
    if (claim !== null && work === null) store.setClaim({ ...claim, draft: { ...claim.draft, ...patch } })
  }
  return {
    snapshot: store.state,
    subscribe: store.subscribe,
    start: (id) => start(store, id),
    choose: (outcome) => change({ outcome }),
    write: (note) => change({ note }),
    submit: (undoMs) => submit(store, undoMs),
    skip: () => skip(store),
    release: () => release(store),
    claimAgain: () => claimAgain(store),
    takeNext: () => takeNext(store),
    undo: (id) => undo(store, id),
    tick: (tick) => {
      keepClaim(tick)
      revealDue()
    },
  }
}
