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
 * The first requests of a process to a provider are slow, and the next are not: code is compiled and connections are
 * opened. What was sent late arrives together with what comes after, so each of these takes the places of two, where that is
 * not long.
 */
const COLD_REQUESTS = 8
const COLD_MOST_MICROS = 20_000
/** Without an answer for so long, the keeper's clock is asked for first, several times: one answer alone may be a slow one. */
const STALE_MS = 5000
const CLOCK_READINGS = 3
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
  let heardAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | null = null
  const cold = new Map<string, number>()
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
      lines.push({ name: `requests ${provider}`, amount: 1, intervalMicros: MINUTE_MICROS / requestsPerMinute, burst })
    }
    if (tokensPerMinute !== undefined) {
      const amount = Math.min(tokens, tokensPerMinute)
      const burst = Math.min(BURST * amount, tokensPerMinute)
      lines.push({ name: `tokens ${provider}`, amount, intervalMicros: MINUTE_MICROS / tokensPerMinute, burst })
    }
    return lines
  }

  async function ask(lines: readonly SharedLine[]) {
    const asked = now()
    const { waitMicros, clockMicros } = await limits.take(lines)
    keeper.heard(clockMicros, asked)
    heardAt = now()
    // An answer that came late is late for its place as well: counted from here, the place would move with it.
    return keeper.own(clockMicros + Math.max(0, waitMicros))
  }

  async function readClock(lines: readonly SharedLine[]): Promise<void> {
    const nothing = lines.map((line) => ({ ...line, amount: 0 }))
    for (let read = 0; read < CLOCK_READINGS; read++) await ask(nothing)
  }

  /** When the next place is due, which is taken. */
  async function takePlace(provider: string, lines: readonly SharedLine[]): Promise<number> {
    if (now() - heardAt > STALE_MS) {
      reading ??= readClock(lines).finally(() => {
        reading = null
      })
    }
    await reading
    const left = cold.get(provider) ?? COLD_REQUESTS
    cold.set(provider, Math.max(0, left - 1))
    return ask(left === 0 ? lines : lines.map(coldLine))
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
        // Where every answer takes longer than it did, each is late, and nobody may wait for ever.
        if (missed > 0 && missed % MOST_MISSED === 0) keeper.forget()
        const due = await takePlace(provider, lines)
        for (let wait = due - now(); wait > 0 && !signal.aborted; wait = due - now()) await sleep(wait, signal)
        if (isUsed(now() - due, missed)) break
      }
      // A place that is not used is lost: what is given back goes to the end of the line, where others are by then.
      return !signal.aborted
    },
  }
}

/** Of requests; tokens are as many as they are. */
function coldLine(line: SharedLine): SharedLine {
  const { name, intervalMicros } = line
  return name.startsWith('requests ') ? { ...line, amount: 1 + Math.min(1, COLD_MOST_MICROS / intervalMicros) } : line
}
