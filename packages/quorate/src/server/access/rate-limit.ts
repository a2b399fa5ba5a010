export interface KeyedRateLimit {
  /** Counts a request. Returns the seconds to wait, or null if it may proceed. */
  take(key: string, now: number): number | null
  /** The same without counting the request. */
  wait(key: string, now: number): number | null
}

const MOST_KEYS = 10_000

/** Allows `burst` requests at once and then `perMinute`, for each key. The least recently used keys are forgotten. */
export function createRateLimit({
  burst,
  perMinute,
}: {
  readonly burst: number
  readonly perMinute: number
}): KeyedRateLimit {
  const interval = 60_000 / perMinute
  /** The theoretical arrival time of each key (generic cell rate algorithm). */
  const arrivalAt = new Map<string, number>()
  const waiting = (key: string, now: number) => {
    const wait = (arrivalAt.get(key) ?? 0) - now - (burst - 1) * interval
    return wait > 0 ? Math.ceil(wait / 1000) : null
  }
  return {
    wait: waiting,
    take(key, now) {
      const wait = waiting(key, now)
      if (wait !== null) return wait
      const arrival = Math.max(arrivalAt.get(key) ?? 0, now)
      arrivalAt.delete(key)
      arrivalAt.set(key, arrival + interval)
      const [oldest] = arrivalAt.keys()
      if (arrivalAt.size > MOST_KEYS && oldest !== undefined) arrivalAt.delete(oldest)
      return null
    },
  }
}
