import { type Breaker, type BreakerState, HARD } from './breaker.ts'
import type { BreakerLimits } from './limits.ts'

/** Breakers of several processes, seen through a copy that is renewed now and then. */
export interface SharedBreakers {
  ofModel(model: string): Breaker
  /** Until when a provider asked for a pause, by the own clock. */
  pausedUntil(provider: string): number
  pause(provider: string, forMs: number): void
  /** Reads what others did. */
  refresh(): Promise<void>
}

export interface SharedBreakerOptions {
  readonly limits: SharedLimits
  readonly breaker: BreakerLimits
  /** Of one attempt: a probe that takes longer is given up by the others. */
  readonly timeoutMs: number
  /** Name of this process. */
  readonly by: string
  readonly now: () => number
  /** Of what goes on beside the calls. */
  readonly failed: (error: unknown) => void
}

const SOON_MS = 500
/** A provider that asks for more is asked again then: what is shared outlives restarts, and nobody would end it. */
const MOST_PAUSE_MS = 600_000

/** What is known of one model; times by the own clock. */
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
  const beside = (work: Promise<unknown>) => void work.catch(options.failed)

  function knownOf(name: string): Seen {
    const known = seen.get(name) ?? { failures: 0, rests: 0, restsUntil: null, probe: 'nobody' }
    seen.set(name, known)
    return known
  }

  function update(known: Seen, row: SharedBreaker | undefined, time: number): void {
    // Longer than any rest or probe is: the database's clock was set back.
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
      // Not received: ask again.
      if (known.probe === 'asked') known.probe = 'nobody'
    }
    if (known.probe === 'others') await refresh()
  }

  function stateOf(name: string, known: Seen, time: number): BreakerState {
    if (known.restsUntil === null) return 'closed'
    if (time < known.restsUntil) return 'resting'
    if (known.probe === 'sent') return 'probing'
    if (known.probe === 'ours') return 'ready'
    if (known.probe === 'nobody') beside(askToProbe(name, known))
    return 'resting'
  }

  return {
    pausedUntil: (provider) => paused.get(`provider ${provider}`) ?? Number.NEGATIVE_INFINITY,
    pause(provider, askedMs) {
      const forMs = Math.min(askedMs, MOST_PAUSE_MS)
      const until = paused.get(`provider ${provider}`) ?? Number.NEGATIVE_INFINITY
      paused.set(`provider ${provider}`, Math.max(until, now() + forMs))
      beside(limits.pause(`provider ${provider}`, forMs))
    },
    refresh,
    ofModel(model) {
      const known = knownOf(model)
      return {
        state: (time) => stateOf(model, known, time),
        // Others may have found out meanwhile: it is looked at again soon.
        readyAt: () => (known.restsUntil === null ? null : Math.max(known.restsUntil, now() + SOON_MS)),
        isDown: () => known.rests > breaker.probes,
        probe() {
          known.probe = 'sent'
        },
        succeeded() {
          if (known.failures === 0 && known.restsUntil === null) return
          Object.assign(known, { failures: 0, rests: 0, restsUntil: null, probe: 'nobody' })
          beside(limits.succeeded(`model ${model}`))
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
          // What the others will say too; nothing more is sent until they do.
          if (known.restsUntil === null && known.failures >= failures) known.restsUntil = now() + restMs
          const failure = { name: `model ${model}`, by, error: kind, failures, restMs, mostRestMs }
          beside(limits.failed(failure).then(refresh))
        },
      }
    },
  }
}

/** Nothing where it is more than it can be. */
function within(milliseconds: number, most: number): number {
  return milliseconds <= most ? milliseconds : 0
}

/** What several processes know together about models and providers; times are the database's own. */
export interface SharedLimits {
  breakers(): Promise<readonly SharedBreaker[]>
  failed(
    failure: { readonly name: string; readonly by: string; readonly error: string } & Omit<BreakerLimits, 'probes'>,
  ): Promise<void>
  succeeded(name: string): Promise<void>
  probe(name: string, by: string, forMs: number): Promise<boolean>
  pause(name: string, forMs: number): Promise<void>
}

/** How a model, or with `pausedForMs` a provider, stands; negative times are over. */
export interface SharedBreaker {
  readonly name: string
  readonly failures: number
  readonly rests: number
  readonly restsForMs: number | null
  readonly probeBy: string | null
  readonly probeForMs: number | null
  readonly pausedForMs: number | null
}
