import { type Breaker, type BreakerState, HARD } from './breaker.ts'
import type { BreakerLimits } from './traffic-limits.ts'

/** Breakers that several processes share, seen through a copy that is refreshed regularly. */
export interface SharedBreakers {
  ofModel(model: string): Breaker
  /** Until when a provider asked for a pause, by this process's clock. */
  pausedUntil(provider: string): number
  pause(provider: string, forMs: number): void
  /** Reads what the other processes wrote. */
  refresh(): Promise<void>
}

export interface SharedBreakerOptions {
  readonly limits: SharedLimits
  readonly breaker: BreakerLimits
  /** Time-out of one attempt. Other processes give up on a probe that takes longer. */
  readonly timeoutMs: number
  /** Name of this process. */
  readonly by: string
  readonly now: () => number
  /** Called with errors of work in the background. */
  readonly failed: (error: unknown) => void
}

const SOON_MS = 500
/**
 * The longest pause. Shared state outlives restarts, and nobody would end a longer pause, so the provider is asked again then.
 */
const MOST_PAUSE_MS = 600_000

/** What this process knows about one model. Times are by its own clock. */
interface Seen {
  failures: number
  rests: number
  restsUntil: number | null
  probe: 'nobody' | 'others' | 'asked' | 'ours' | 'sent'
}

export function createSharedBreakers(options: SharedBreakerOptions): SharedBreakers {
  const { limits, breaker, timeoutMs, by, now } = options
  const seen = new Map<string, Seen>()
  const paused = new Map<string, number>()
  const inBackground = (work: Promise<unknown>) => void work.catch(options.failed)

  function knownOf(name: string): Seen {
    const known = seen.get(name) ?? { failures: 0, rests: 0, restsUntil: null, probe: 'nobody' }
    seen.set(name, known)
    return known
  }

  function update(known: Seen, row: SharedBreaker | undefined, time: number): void {
    // A value longer than any rest or probe means that the database's clock was set back.
    const restsForMs = row === undefined || row.restsForMs === null ? null : within(row.restsForMs, breaker.mostRestMs)
    known.failures = row?.failures ?? 0
    known.rests = row?.rests ?? 0
    known.restsUntil = restsForMs === null ? null : time + restsForMs
    if (known.probe === 'sent' || known.probe === 'asked') return
    const isProbed = row !== undefined && within(row.probeForMs ?? 0, 2 * timeoutMs) > 0
    known.probe = !isProbed ? 'nobody' : row.probeBy === by ? 'ours' : 'others'
  }

  async function refresh(): Promise<void> {
    const rows = new Map((await limits.breakers()).map((row) => [row.name, row]))
    for (const [name, known] of seen) update(known, rows.get(`model ${name}`), now())
    for (const { name, pausedForMs } of rows.values()) {
      if (pausedForMs !== null && pausedForMs > 0) paused.set(name, now() + pausedForMs)
    }
  }

  async function askToProbe(name: string, known: Seen): Promise<void> {
    known.probe = 'asked'
    try {
      known.probe = (await limits.probe(`model ${name}`, by, 2 * timeoutMs)) ? 'ours' : 'others'
    } finally {
      // No answer was received, so ask again.
      if (known.probe === 'asked') known.probe = 'nobody'
    }
    if (known.probe === 'others') await refresh()
  }

  function stateOf(name: string, known: Seen, time: number): BreakerState {
    if (known.restsUntil === null) return 'closed'
    if (time < known.restsUntil) return 'resting'
    if (known.probe === 'sent') return 'probing'
    if (known.probe === 'ours') return 'ready'
    if (known.probe === 'nobody') inBackground(askToProbe(name, known))
    return 'resting'
  }

  return {
    pausedUntil: (provider) => paused.get(`provider ${provider}`) ?? Number.NEGATIVE_INFINITY,
    pause(provider, askedMs) {
      const forMs = Math.min(askedMs, MOST_PAUSE_MS)
      const until = paused.get(`provider ${provider}`) ?? Number.NEGATIVE_INFINITY
      paused.set(`provider ${provider}`, Math.max(until, now() + forMs))
      inBackground(limits.pause(`provider ${provider}`, forMs))
    },
    refresh,
    ofModel(model) {
      const known = knownOf(model)
      return {
        state: (time) => stateOf(model, known, time),
        // Another process may have probed meanwhile, so it is checked again soon.
        readyAt: () => (known.restsUntil === null ? null : Math.max(known.restsUntil, now() + SOON_MS)),
        isDown: () => known.rests > breaker.probes,
        probe() {
          known.probe = 'sent'
        },
        succeeded() {
          if (known.failures === 0 && known.restsUntil === null) return
          Object.assign(known, { failures: 0, rests: 0, restsUntil: null, probe: 'nobody' })
          inBackground(limits.succeeded(`model ${model}`))
        },
        failed(kind) {
          const isProbe = known.probe === 'sent'
          if (known.restsUntil !== null && !isProbe) return
          if (isProbe) known.probe = 'nobody'
          if (!HARD.has(kind)) {
            if (kind !== 'aborted') this.succeeded()
            return
          }
          known.failures += 1
          const { failures, restMs, mostRestMs } = breaker
          // The others will decide the same. Nothing more is sent until they do.
          if (known.restsUntil === null && known.failures >= failures) known.restsUntil = now() + restMs
          const failure = { name: `model ${model}`, by, error: kind, failures, restMs, mostRestMs }
          inBackground(limits.failed(failure).then(refresh))
        },
      }
    },
  }
}

/** The time, or 0 if it is longer than it can be. */
function within(milliseconds: number, most: number): number {
  return milliseconds <= most ? milliseconds : 0
}

/** What several processes know together about models and providers. Times are by the database's clock. */
export interface SharedLimits {
  breakers(): Promise<readonly SharedBreaker[]>
  failed(
    failure: { readonly name: string; readonly by: string; readonly error: string } & Omit<BreakerLimits, 'probes'>,
  ): Promise<void>
  succeeded(name: string): Promise<void>
  probe(name: string, by: string, forMs: number): Promise<boolean>
  pause(name: string, forMs: number): Promise<void>
}

/** The state of a model, or with `pausedForMs` of a provider. Negative times are over. */
export interface SharedBreaker {
  readonly name: string
  readonly failures: number
  readonly rests: number
  readonly restsForMs: number | null
  readonly probeBy: string | null
  readonly probeForMs: number | null
  readonly pausedForMs: number | null
}
