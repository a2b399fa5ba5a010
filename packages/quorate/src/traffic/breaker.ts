import type { ModelErrorKind } from '../model/model-error.ts'
import type { BreakerLimits } from './traffic-limits.ts'

export type BreakerState = 'closed' | 'resting' | 'ready' | 'probing'

/**
 * Circuit breaker: stops calls to a model that keeps failing. Closed: calls pass. Resting: no call passes until the
 * rest is over. Ready: one call may probe. Probing: the probe is in flight. A failed probe doubles the rest.
 */
export interface Breaker {
  state(now: number): BreakerState
  /** When the rest ends; null if there is none or a probe is in flight. */
  readyAt(): number | null
  /** So many probes failed that waiting is useless. */
  isDown(): boolean
  /** Marks the probe as started. */
  probe(): void
  succeeded(): void
  failed(kind: ModelErrorKind, now: number): void
}

/** Failures that say something about the model, and not about one request or about too many of them. */
export const HARD: ReadonlySet<ModelErrorKind> = new Set(['server', 'network', 'time-out', 'malformed', 'key'])

export function breaker({ failures, restMs, mostRestMs, probes }: BreakerLimits): Breaker {
  let inARow = 0
  let rests = 0
  let restsUntil: number | null = null
  let isProbing = false

  function close(): void {
    inARow = 0
    rests = 0
    restsUntil = null
    isProbing = false
  }

  function rest(now: number): void {
    restsUntil = now + Math.min(mostRestMs, restMs * 2 ** rests)
    rests += 1
    isProbing = false
  }

  return {
    state(now) {
      if (isProbing) return 'probing'
      if (restsUntil === null) return 'closed'
      return now < restsUntil ? 'resting' : 'ready'
    },
    readyAt: () => (isProbing ? null : restsUntil),
    isDown: () => rests > probes,
    probe() {
      isProbing = true
    },
    succeeded: close,
    failed(kind, now) {
      if (restsUntil !== null) {
        // Calls that were in flight when the breaker opened say nothing new.
        if (!isProbing) return
        if (HARD.has(kind)) rest(now)
        // An aborted probe shows nothing. Any other answer shows that the model responds.
        else if (kind === 'aborted') isProbing = false
        else close()
        return
      }
      if (!HARD.has(kind)) {
        if (kind !== 'aborted') inARow = 0
        return
      }
      inARow += 1
      if (inARow >= failures) rest(now)
    },
  }
}
