import type { WorkerStore } from '../../store/shared-store.ts'
import { aliveWorkers } from './run-status.ts'

/** The share of every provider's rate that this worker may use. */
export interface LiveShare {
  /** Counts the live workers. Called after each heartbeat of this one. */
  refresh(): Promise<void>
  /** One divided by the number of live workers; 0 while that is unknown. */
  share(): number
}

/** An older count is useless, because workers may have joined since. A few heartbeats take less time than this. */
const STALE_MS = 6000

/**
 * Workers divide a rate by their number. A worker that joins others sends nothing under a rate for `STALE_MS`. By then each of
 * them has counted it, or has a stale count and sends nothing either. So together they never send more than the rate. A worker
 * that was away joins again.
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
      // A worker that joins later finds this one and waits.
      if (count === 1) joinedAt = Number.NEGATIVE_INFINITY
    },
    share: () => (isStale() || elapsed() - joinedAt < STALE_MS ? 0 : 1 / count),
  }
}
