import type { ModelErrorKind } from '../model/model-error.ts'
import type { BreakerLimits } from './limits.ts'

export type BreakerState = 'closed' | 'resting' | 'ready' | 'probing'

/**
 * Keeps calls from a model that fails every time. Closed: calls flow. Resting: none does, until the rest is over. Ready:
 * one may try. Probing: it is on its way. A probe that fails doubles the rest.
 */
export interface Breaker {
  state(now: number): BreakerState
  /** When a rest ends; null when none is on. */
  readyAt(): number | null
  /** So many probes failed that waiting is no use. */
  isDown(): boolean
  /** The one call that finds out. */
  probe(): void
  succeeded(): void
  failed(kind: ModelErrorKind, now: number): void
}

/** Those that say something about the model, not about one request or about too many of them. */
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
        // Calls that were in flight when it opened say nothing new.
        if (!isProbing) return
        if (HARD.has(kind)) rest(now)
        // A probe that was given up found nothing out; any other answer shows that the model is there.
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
