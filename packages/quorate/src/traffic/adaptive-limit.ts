/** Share that is left after a provider said that it is too much, and how many windows it takes to come back. */
const LESS = 0.7
const WINDOWS_TO_RECOVER = 8

export interface AdaptiveLimit {
  /** Calls that may be in flight, from 1. */
  current(): number
  succeeded(): void
  /** The provider turned a call away that started then. */
  turnedAway(startedAt: number, now: number): void
}

/**
 * Additive increase, multiplicative decrease: one step down for all calls that were in flight together, because they
 * tell the same news; up by an eighth of the ceiling for every window of calls that went well.
 */
export function adaptiveLimit(ceiling: number): AdaptiveLimit {
  let limit = ceiling
  let loweredAt = Number.NEGATIVE_INFINITY
  const step = Math.max(1, ceiling / WINDOWS_TO_RECOVER)
  return {
    current: () => Math.floor(limit),
    succeeded() {
      limit = Math.min(ceiling, limit + step / limit)
    },
    turnedAway(startedAt, now) {
      if (startedAt < loweredAt) return
      limit = Math.max(1, limit * LESS)
      loweredAt = now
    },
  }
}
