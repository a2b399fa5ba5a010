import { StoreError } from '../record/store-error.ts'
import type { Store } from '../store/store.ts'

export interface ReadinessTools {
  readonly store: Pick<Store, 'outbox' | 'isInPlace' | 'freeBytes' | 'checkWritable'>
  readonly now: () => number
  /** In milliseconds, never back. */
  readonly stopwatch: () => number
}

/** Anybody may ask without a token: more often than that the store is not written for it. */
const WRITE_EVERY_MS = 1000
/** The largest body that is accepted has 1 MB, and is stored. SQLite's log may have room for a row when its disk has none. */
const LEAST_FREE_BYTES = 2_000_000

/** Why no request should be sent here; null: the store answers, its file is the one that was opened, and it takes writes. */
export function createReadiness({ store, now, stopwatch }: ReadinessTools): () => Promise<string | null> {
  let last: { readonly at: number; readonly problem: Promise<string | null> } | null = null

  function writeProblem(): Promise<string | null> {
    const at = stopwatch()
    if (last !== null && at - last.at < WRITE_EVERY_MS) return last.problem
    const problem = store.checkWritable(now()).then(() => null, problemOf)
    last = { at, problem }
    return problem
  }

  return async () => {
    try {
      await store.outbox.nextAt()
      if (!store.isInPlace()) return MOVED
      if ((store.freeBytes() ?? LEAST_FREE_BYTES) < LEAST_FREE_BYTES) return FULL
      return await writeProblem()
    } catch (error) {
      return problemOf(error)
    }
  }
}

const MOVED =
  'the file of the store was removed or replaced while it was open: what is written now is lost when the server ends; start it again'
const FULL = 'the disk of the store is full: free some space'

function problemOf(error: unknown): string {
  const kind = error instanceof StoreError ? error.kind : null
  if (kind === 'disk-full') return FULL
  return kind === 'read-only' ? 'the store cannot be written' : 'the store does not answer'
}
