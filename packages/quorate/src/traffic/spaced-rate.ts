import type { RateEntry, RateLimit } from './rate-window.ts'

const MINUTE_MS = 60_000
/** How soon it is tried again while this process does not know its share. */
const UNKNOWN_MS = 250

/**
 * A rate that several processes keep together: each sends its share, evenly spaced, so that all of them together never send
 * more than the rate and one request of each at once. `share` is the part that is ours now; it changes as processes come
 * and go. Nothing is saved up in a rest.
 */
export function spacedRate(perMinute: number, share: () => number): RateLimit {
  let nextAt = Number.NEGATIVE_INFINITY
  const msOf = (amount: number) => (amount * MINUTE_MS) / (perMinute * share())
  return {
    waitMs: (now) => (share() > 0 ? Math.max(0, nextAt - now) : UNKNOWN_MS),
    take(now, amount): RateEntry {
      const taken = Math.min(amount, perMinute)
      nextAt = Math.max(now, nextAt) + msOf(taken)
      return { at: now, amount: taken, isCounted: true }
    },
    settle(entry, amount) {
      const less = Math.max(0, entry.amount - amount)
      entry.amount -= less
      if (share() > 0) nextAt -= msOf(less)
    },
  }
}
