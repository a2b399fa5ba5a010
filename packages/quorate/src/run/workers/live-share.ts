import type { WorkerStore } from '../../store/shared-store.ts'
import { aliveWorkers } from './run-status.ts'

/** Which part of every provider's rate is this worker's. */
export interface LiveShare {
  /** Counts the workers that are alive, after each heartbeat of this one. */
  refresh(): Promise<void>
  /** One divided by the workers that are alive; 0 while that is not known. */
  share(): number
}

/** A count that is older says nothing: workers may have come since. Longer than a few heartbeats take. */
const STALE_MS = 6000

/**
 * Workers divide a rate by their number. A worker that joins others sends nothing under a rate for `STALE_MS`: by then each of
 * them has counted it, or has a stale count and sends nothing either. So all of them together never send more than the rate. A
 * worker that was away joins again.
 */
export function createLiveShare(workers: Pick<WorkerStore, 'list'>, elapsed: () => number): LiveShare {
  let count = 0
  let countedAt = Number.NEGATIVE_INFINITY
  let joinedAt = Number.NEGATIVE_INFINITY
  const isStale = () => elapsed() - countedAt >= STALE_MS
  return {
    async refresh() {
      const at = elapsed()
      if (isStale()) joinedAt = at
      const alive = await aliveWorkers(workers)
      count = Math.max(1, alive.length)
      countedAt = at
      // A later one finds this one and waits.
      if (count === 1) joinedAt = Number.NEGATIVE_INFINITY
    },
    share: () => (isStale() || elapsed() - joinedAt < STALE_MS ? 0 : 1 / count),
  }
}
