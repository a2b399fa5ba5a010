export interface RateLimit {
  /** Seconds to wait, or null when the request may pass. */
  take(key: string, now: number): number | null
  /** The same without counting it. */
  wait(key: string, now: number): number | null
}

const MOST_KEYS = 10_000

/** So many at once, then so many a minute, for each key. Keys that were quiet are forgotten. */
export function createRateLimit({
  burst,
  perMinute,
}: {
  readonly burst: number
  readonly perMinute: number
}): RateLimit {
  const interval = 60_000 / perMinute
  /** When each key would be back at rest (GCRA). */
  const restAt = new Map<string, number>()
  const waiting = (key: string, now: number) => {
    const wait = (restAt.get(key) ?? 0) - now - (burst - 1) * interval
    return wait > 0 ? Math.ceil(wait / 1000) : null
  }
  return {
    wait: waiting,
    take(key, now) {
      const wait = waiting(key, now)
      if (wait !== null) return wait
      const rest = Math.max(restAt.get(key) ?? 0, now)
      restAt.delete(key)
      restAt.set(key, rest + interval)
      if (restAt.size > MOST_KEYS) forgetOldest(restAt)
      return null
    },
  }
}

/** The key that was used least recently comes first. */
function forgetOldest(keys: Map<string, number>): void {
  for (const key of keys.keys()) {
    keys.delete(key)
    return
  }
}
