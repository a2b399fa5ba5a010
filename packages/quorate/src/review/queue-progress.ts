import type { QueueProgress } from '../contract/reviews.ts'
import { DAY_MS } from '../record/day.ts'
import type { QueueCounts } from '../store/reviews/reviews.ts'
import type { Millis, Store } from '../store/store.ts'

/** Up to this many items are counted for each request. Counting more would cost more than claiming an item. */
const MOST_UNCACHED = 1000
/** How old the cached counts of a longer queue may be. */
const CACHE_MS = 2000

interface Cached {
  readonly counts: Omit<QueueCounts, 'mine'>
  readonly at: Millis
}

/**
 * How many items wait and were submitted. Counts of more than a thousand items are up to two seconds old, but include what this
 * process did since.
 */
export interface ProgressCounter {
  of(reviewer: string): Promise<QueueProgress>
  /** This process submitted an item (1), or undid one (-1). */
  submitted(items: 1 | -1): void
}

export function createProgressCounter({ reviews }: Store, now: () => Millis): ProgressCounter {
  let cached: Cached | null = null
  let counting: Promise<Cached['counts']> | null = null

  /** Concurrent callers share one count. */
  function counted(own: { readonly reviewer: string; readonly since: Millis }, at: Millis): Promise<Cached['counts']> {
    counting ??= reviews
      .counts(own)
      .then(({ waiting, submitted, oldestAt }) => {
        const counts = { waiting, submitted, oldestAt }
        cached = waiting + submitted > MOST_UNCACHED ? { counts, at } : null
        return counts
      })
      .finally(() => {
        counting = null
      })
    return counting
  }

  return {
    async of(reviewer) {
      const at = now()
      const own = { reviewer, since: at - (at % DAY_MS) }
      if (cached !== null && at >= cached.at && at - cached.at < CACHE_MS) {
        return { ...cached.counts, mineToday: await reviews.answered(own) }
      }
      if (cached !== null) return { ...(await counted(own, at)), mineToday: await reviews.answered(own) }
      const { mine: mineToday, ...counts } = await reviews.counts(own)
      cached = counts.waiting + counts.submitted > MOST_UNCACHED ? { counts, at } : null
      return { ...counts, mineToday }
    },
    submitted(items) {
      if (cached === null) return
      const { waiting, submitted, oldestAt } = cached.counts
      cached = { ...cached, counts: { waiting: Math.max(0, waiting - items), submitted: submitted + items, oldestAt } }
    },
  }
}
