import type { QueueProgress, ReviewItem, SubmittedReview, UndoneReview } from 'quorate/contract'
import { isComplete } from './outcomes.ts'
import { claimOf, isUnrevealed, type ReviewState, type Submission } from './review-state.ts'
import { outcomeOf, type SessionStore } from './session-store.ts'
import { following, settle } from './take-items.ts'

const MAX_SUBMISSIONS = 5

/** Submits the draft and requests the next item at the same time. If the submission fails, the next item is set aside. */
export async function submit(store: SessionStore, undoMs: number): Promise<void> {
  const chosen = claimOf(store.state())
  const outcome = chosen?.draft.outcome ?? null
  if (chosen === null || chosen.isExpired || !isComplete(chosen.item, outcome)) return
  const claim = store.begin('submit')
  if (claim === null) return
  const { note } = claim.draft
  const sentAt = store.now()
  const body = { outcome, ...(note.trim() === '' ? {} : { note }) }
  const [sent, next] = await Promise.all([
    outcomeOf(store.act<SubmittedReview>(claim.item.id, 'submit', body)),
    following(store),
  ])
  if (sent.kind === 'failed') {
    if (next.kind === 'item') store.set({ aside: next.claim })
    return store.fail('submit', sent.error)
  }
  const { item, progress } = sent.value
  // The time ends one round trip early, so that an undo does not reach the server too late and become a retraction.
  const undoUntil = sentAt + undoMs - (store.now() - sentAt)
  const submissions = [{ item, outcome, note, undoUntil, isRetracted: false }, ...store.state().submissions].slice(
    0,
    MAX_SUBMISSIONS,
  )
  settle(store, next, { submissions, progress, news: store.news('submitted') })
}

export async function skip(store: SessionStore): Promise<void> {
  const claim = store.begin('skip')
  if (claim === null) return
  const skipped = await outcomeOf(store.act<ReviewItem>(claim.item.id, 'skip'))
  if (skipped.kind === 'failed') return store.fail('skip', skipped.error)
  const next = await following(store)
  const cameBack = next.kind === 'item' && next.claim.item.id === claim.item.id
  settle(store, next, { news: store.news(cameBack ? 'came-back' : 'skipped') })
}

export async function release(store: SessionStore): Promise<void> {
  const claim = store.begin('release')
  if (claim === null) return
  const released = await outcomeOf(store.act<ReviewItem>(claim.item.id, 'release'))
  if (released.kind === 'failed') return store.fail('release', released.error)
  store.set({ place: { kind: 'resting' }, work: null, news: store.news('released') })
}

/** In time, the item becomes the current one again, with its draft. Later, the submission is retracted. */
export async function undo(store: SessionStore, id: string): Promise<void> {
  const state = store.state()
  const submission = state.submissions.find(({ item, isRetracted }) => item.id === id && !isRetracted)
  if (submission === undefined || state.work !== null) return
  store.set({ work: 'undo', problem: null })
  const undone = await outcomeOf(store.act<UndoneReview>(id, 'undo'))
  if (undone.kind === 'failed') return store.fail('undo', undone.error)
  const { kind, item } = undone.value
  const progress = withoutSubmission(state.progress)
  if (kind === 'retracted') {
    const all = state.submissions.map((one) => (one === submission ? { ...one, isRetracted: true } : one))
    return store.set({ work: null, submissions: all, progress, news: store.news('retracted') })
  }
  const { outcome, note } = submission
  const rest: Partial<ReviewState> = { submissions: state.submissions.filter((one) => one !== submission), progress }
  const aside = claimOf(state) ?? state.aside
  store.setClaim(store.newClaim(item, { outcome, note }), { ...rest, aside, work: null, news: store.news('undone') })
}

const RETRY_MS = 2000

/**
 * Called about every second. Requests the panel's answer to a blind item when the time to undo is over, which the server
 * measures by its own clock.
 */
export function revealer(store: SessionStore): () => void {
  let requestedAt = Number.NEGATIVE_INFINITY
  return () => {
    const due = store
      .state()
      .submissions.find((submission) => isUnrevealed(submission) && submission.undoUntil <= store.now())
    if (due === undefined || store.now() - requestedAt < RETRY_MS) return
    requestedAt = store.now()
    void reveal(store, due)
  }
}

async function reveal(store: SessionStore, due: Submission): Promise<void> {
  const found = await outcomeOf(store.find(due.item.id))
  // This runs in the background, so a failure is not reported. The next call retries.
  if (found.kind === 'failed' || found.value.source === null) return
  const { submissions } = store.state()
  const item = found.value
  store.set({ submissions: submissions.map((one) => (one.item === due.item ? { ...one, item } : one)) })
}

/** Adjusts the progress after an undo, because the response to an undo contains none. */
function withoutSubmission(progress: QueueProgress | null): QueueProgress | null {
  if (progress === null) return null
  const { waiting, mineToday, submitted } = progress
  return {
    ...progress,
    waiting: waiting + 1,
    mineToday: Math.max(0, mineToday - 1),
    submitted: Math.max(0, submitted - 1),
  }
}
