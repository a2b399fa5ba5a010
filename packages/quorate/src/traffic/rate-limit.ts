const MINUTE_MS = 60_000
/** Share of a minute's rate that may be sent at once after a pause. */
const BURST = 1 / 6

/** One request that was sent. Its amount may turn out smaller than what was taken for it. */
export interface RateEntry {
  readonly at: number
  amount: number
  /** True until a minute has passed. */
  isCounted: boolean
}

export interface RateLimit {
  /** Milliseconds until this amount may be sent; 0: now. */
  waitMs(now: number, amount: number): number
  take(now: number, amount: number): RateEntry
  /** Corrects the amount to what it really was, never more than was taken. */
  settle(entry: RateEntry, amount: number): void
}

/**
 * At most `limit` in any 60 seconds, exactly: everything sent in the last minute is remembered. In addition, a token
 * bucket spreads a full load over the minute instead of sending it at once.
 */
export function rateWindow(limit: number): RateLimit {
  const capacity = Math.max(1, limit * BURST)
  const perMs = limit / MINUTE_MS
  let entries: RateEntry[] = []
  let sum = 0
  let level = capacity
  let filledAt = Number.NEGATIVE_INFINITY

  function forget(now: number): void {
    const kept = entries.findIndex(({ at }) => at > now - MINUTE_MS)
    const gone = entries.slice(0, kept < 0 ? entries.length : kept)
    if (gone.length > 0) entries = entries.slice(gone.length)
    for (const entry of gone) entry.isCounted = false
    sum = entries.length === 0 ? 0 : sum - gone.reduce((total, { amount }) => total + amount, 0)
    level = Math.min(capacity, level + Math.max(0, now - filledAt) * perMs)
    filledAt = Math.max(filledAt, now)
  }

  /** Milliseconds until enough of the last minute has expired. */
  function windowWait(now: number, amount: number): number {
    let over = sum + amount - limit
    if (over <= 0) return 0
    for (const entry of entries) {
      over -= entry.amount
      if (over <= 0) return entry.at + MINUTE_MS - now
    }
    return 0
  }

  return {
    waitMs(now, amount) {
      forget(now)
      // An amount above the whole limit fits only into an empty minute.
      const wanted = Math.min(amount, limit)
      const bucketWait = (Math.min(amount, capacity) - level) / perMs
      // A rounding error of the bucket must not cause a wait.
      return Math.max(windowWait(now, wanted), bucketWait < 1e-6 ? 0 : bucketWait)
    },
    take(now, amount) {
      forget(now)
      const entry = { at: now, amount: Math.min(amount, limit), isCounted: true }
      entries.push(entry)
      sum += entry.amount
      level -= entry.amount
      return entry
    },
    settle(entry, amount) {
      const less = Math.max(0, entry.amount - amount)
      entry.amount -= less
      if (entry.isCounted) sum -= less
      level = Math.min(capacity, level + less)
    },
  }
}

/** Milliseconds to the next try while this process does not know its share. */
const UNKNOWN_MS = 250

/**
 * A rate limit that several processes share. Each sends its share, evenly spaced, so together they never send more than
 * the rate plus one request of each at once. `share` is the current share of this process, which changes as processes
 * come and go. Unused capacity is not saved up.
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
