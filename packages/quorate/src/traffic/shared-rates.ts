import type { ProviderLimits } from './limits.ts'
import type { SharedLimits, SharedLine } from './shared-limits.ts'
import type { Sleep } from './traffic.ts'

/** Requests that may go out at once after a rest, over all processes. */
const BURST = 2
/** A place that was missed by more is given up: places that are used late go out together with later ones. */
const LATE_MS = 30
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

  function settle(provider: string, { admitted, used }: { readonly admitted: number; readonly used: number }): void {
    const { tokensPerMinute } = providers[provider] ?? {}
    if (tokensPerMinute === undefined) return
    // Less than nothing where the estimate was too low: others wait longer then.
    const unused = Math.min(admitted, tokensPerMinute) - used
    if (unused === 0 || Number.isNaN(unused)) return
    const micros = (unused * MINUTE_MICROS) / tokensPerMinute
    limits.giveBack({ name: `tokens ${provider}`, micros }).catch(failed)
  }

  return {
    settle,
    async admit(provider, tokens, signal) {
      const lines = linesOf(provider, tokens)
      if (lines.length === 0) return !signal.aborted
      while (!signal.aborted) {
        const { waitMicros } = await limits.take(lines)
        // Counted from when the answer came, so rather late than early.
        const due = now() + Math.max(0, waitMicros) / 1000
        for (let wait = due - now(); wait > 0 && !signal.aborted; wait = due - now()) await sleep(wait, signal)
        if (now() - due <= LATE_MS) break
      }
      // A place that is not used is lost: what is given back goes to the end of the line, where others are by then.
      return !signal.aborted
    },
  }
}
