import type { QueueProgress } from '../contract/reviews.ts'
import type { QueueCounts } from '../store/reviews/reviews.ts'
import type { Millis, Store } from '../store/store.ts'

const DAY_MS = 86_400_000
/** Fewer items are counted again each time; counting more would cost more than handing one out. */
const COUNTED_AT_ONCE = 1000
/** How old the counts of a longer queue may be. */
const KEPT_MS = 2000

interface Kept {
  readonly counts: Omit<QueueCounts, 'mine'>
  readonly at: Millis
}

/** How much waits and was done. Counts of more than a thousand items are up to two seconds old, but for what was done here. */
export interface ProgressCounter {
  of(reviewer: string): Promise<QueueProgress>
  /** An item was submitted here, or taken back (-1). */
  submitted(items: 1 | -1): void
}

export function createProgressCounter({ reviews }: Store, now: () => Millis): ProgressCounter {
  let kept: Kept | null = null
  let counting: Promise<Kept['counts']> | null = null

  /** Who asks while others are counting waits for their count. */
  function counted(own: { readonly reviewer: string; readonly since: Millis }, at: Millis): Promise<Kept['counts']> {
    counting ??= reviews
      .counts(own)
      .then(({ waiting, submitted, oldestAt }) => {
        const counts = { waiting, submitted, oldestAt }
        kept = waiting + submitted > COUNTED_AT_ONCE ? { counts, at } : null
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
      if (kept !== null && at >= kept.at && at - kept.at < KEPT_MS) {
        return { ...kept.counts, mineToday: await reviews.answered(own) }
      }
      if (kept !== null) return { ...(await counted(own, at)), mineToday: await reviews.answered(own) }
      const { mine: mineToday, ...counts } = await reviews.counts(own)
      kept = counts.waiting + counts.submitted > COUNTED_AT_ONCE ? { counts, at } : null
      return { ...counts, mineToday }
    },
    submitted(items) {
      if (kept === null) return
      const { waiting, submitted, oldestAt } = kept.counts
      kept = { ...kept, counts: { waiting: Math.max(0, waiting - items), submitted: submitted + items, oldestAt } }
    },
  }
}
