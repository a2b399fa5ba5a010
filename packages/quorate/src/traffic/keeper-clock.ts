/** The clock of another machine, as far as its answers tell. */
export interface KeeperClock {
  /** What it said in an answer to a question of `asked`, by the own clock; the answer came just now. */
  heard(clockMicros: number, asked: number): void
  /**
   * That time by the own clock: no later than the quickest answer leaves open, and not before it unless a clock was set, or
   * drifted, by less than an answer takes.
   */
  own(clockMicros: number): number
  /** Answers take longer than they did: the next one stands alone. */
  forget(): void
}

/** Two clocks go apart by no more: what was heard once is worth less with time. */
const DRIFT = 1e-4

/**
 * An answer that took long says little about when its clock was read: somewhere between question and answer. The bounds
 * that all answers together leave are as close as the quickest of them; where they exclude each other one of the clocks
 * was set, and the last answer stands alone.
 */
export function createKeeperClock(now: () => number): KeeperClock {
  let [least, most, at] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, now()]
  return {
    heard(clockMicros, asked) {
      const time = now()
      const worn = (time - at) * DRIFT
      const [lower, upper] = [clockMicros / 1000 - time, clockMicros / 1000 - asked]
      least = Math.max(least - worn, lower)
      most = Math.min(most + worn, upper)
      if (least > most) [least, most] = [lower, upper]
      at = time
    },
    own: (clockMicros) => clockMicros / 1000 - least,
    forget() {
      ;[least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
    },
  }
}
