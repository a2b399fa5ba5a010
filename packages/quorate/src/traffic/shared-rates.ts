import { createKeeperClock } from './keeper-clock.ts'
import type { ProviderLimits } from './limits.ts'
import type { SharedLimits, SharedLine } from './shared-limits.ts'
import type { Sleep } from './traffic.ts'

/** Requests that may go out at once after a rest, over all processes. */
const BURST = 2
/** A place that was missed by more is given up: places that are used late go out together with later ones. */
const LATE_MS = 30
/**
 * The same of a request that missed a place, and in a process that is late again and again: what all requests may be
 * without a tenth too many in a second.
 */
const OFTEN_LATE_MS = 60
/** Of a request that missed so many places in a row: it must get out at some time. */
const MOST_LATE_MS = 250
const MOST_MISSED = 5
/** Places in a row that were not missed by `LATE_MS`, after which a process is no longer taken for a late one. */
const TIMELY = 10
/**
 * So long after its first request to a provider a process is slow, and then no longer: it compiles and opens connections.
 * What it sent late arrives together with what comes after, so each of these requests takes the places of two, where that
 * is not long.
 */
const COLD_MS = 1000
const COLD_MOST_MICROS = 20_000
const MINUTE_MICROS = 60_000_000

export interface SharedRates {
  /** Resolves when the request may be sent; false: the signal fired first, and there is nothing to settle. */
  admit(provider: string, tokens: number, signal: AbortSignal): Promise<boolean>
  /** What a request that was admitted with so many tokens really used. */
  settle(provider: string, tokens: { readonly admitted: number; readonly used: number }): void
}

export interface SharedRateOptions {
  readonly limits: Pick<SharedLimits, 'take' | 'giveBack'>
  readonly providers: Readonly<Record<string, ProviderLimits>>
  /** Milliseconds, never going back. */
  readonly now: () => number
  readonly sleep: Sleep
  /** Of what goes on beside the calls. */
  readonly failed: (error: unknown) => void
}

/** Rates over several processes: every request takes a place of its own in one line, and goes when it is due. */
export function createSharedRates({ limits, providers, now, sleep, failed }: SharedRateOptions): SharedRates {
  const keeper = createKeeperClock(now)
  const warmAt = new Map<string, number>()
  /** Timely places that are still needed after a late one. */
  let untilTimely = 0

  /** Whether a place is used although it was due so long ago, by a request that missed so many before. */
  function isUsed(lateMs: number, missed: number): boolean {
    const first = untilTimely > 0 ? OFTEN_LATE_MS : LATE_MS
    untilTimely = lateMs > LATE_MS ? TIMELY : Math.max(0, untilTimely - 1)
    const own = missed === 0 ? LATE_MS : missed < MOST_MISSED ? OFTEN_LATE_MS : MOST_LATE_MS
    return lateMs <= Math.max(first, own)
  }

  /** None: nothing is limited. */
  function linesOf(provider: string, tokens: number): readonly SharedLine[] {
    const { requestsPerMinute, tokensPerMinute } = providers[provider] ?? {}
    const lines: SharedLine[] = []
    if (requestsPerMinute !== undefined) {
      const burst = Math.min(BURST, requestsPerMinute)
      const intervalMicros = MINUTE_MICROS / requestsPerMinute
      const isCold = now() < (warmAt.get(provider) ?? Number.POSITIVE_INFINITY)
      const amount = isCold ? 1 + Math.min(1, COLD_MOST_MICROS / intervalMicros) : 1
      lines.push({ name: `requests ${provider}`, amount, intervalMicros, burst })
    }
    if (tokensPerMinute !== undefined) {
      const amount = Math.min(tokens, tokensPerMinute)
      const burst = Math.min(BURST * amount, tokensPerMinute)
      lines.push({ name: `tokens ${provider}`, amount, intervalMicros: MINUTE_MICROS / tokensPerMinute, burst })
    }
    return lines
  }

  function settle(provider: string, { admitted, used }: { readonly admitted: number; readonly used: number }): void {
    const { tokensPerMinute } = providers[provider] ?? {}
    if (tokensPerMinute === undefined) return
    // Less than nothing where the estimate was too low: others wait longer then, but no report stops them for hours.
    const unused = Math.max(-tokensPerMinute, Math.min(admitted, tokensPerMinute) - used)
    if (unused === 0 || Number.isNaN(unused)) return
    const micros = (unused * MINUTE_MICROS) / tokensPerMinute
    limits.giveBack({ name: `tokens ${provider}`, micros }).catch(failed)
  }

  return {
    settle,
    async admit(provider, tokens, signal) {
      const lines = linesOf(provider, tokens)
      if (lines.length === 0) return !signal.aborted
      for (let missed = 0; !signal.aborted; missed++) {
        const asked = now()
        const { waitMicros, clockMicros } = await limits.take(lines)
        keeper.heard(clockMicros, asked)
        // An answer that came late is late for its place as well: counted from here, the place would move with it.
        const due = keeper.own(clockMicros + Math.max(0, waitMicros))
        for (let wait = due - now(); wait > 0 && !signal.aborted; wait = due - now()) await sleep(wait, signal)
        if (isUsed(now() - due, missed)) break
      }
      if (!warmAt.has(provider)) warmAt.set(provider, now() + COLD_MS)
      // A place that is not used is lost: what is given back goes to the end of the line, where others are by then.
      return !signal.aborted
    },
  }
}
