import type { ProviderLimits } from './limits.ts'
import type { SharedLimits } from './shared-limits.ts'
import type { Sleep } from './traffic.ts'

/** Requests that may go out at once after a rest, over all processes. */
const BURST = 2
/** A place that was missed by more is given up: places that are used late go out together with later ones. */
const LATE_MS = 30
const MINUTE_MICROS = 60_000_000

export interface SharedRates {
  /** Resolves when the request may be sent; false: the signal fired first. */
  admit(provider: string, tokens: number, signal: AbortSignal): Promise<boolean>
  /** What was taken for tokens that were not used. */
  settle(provider: string, unusedTokens: number): Promise<void>
}

export interface SharedRateOptions {
  readonly limits: Pick<SharedLimits, 'take' | 'giveBack'>
  readonly providers: Readonly<Record<string, ProviderLimits>>
  /** Milliseconds, never going back. */
  readonly now: () => number
  readonly sleep: Sleep
}

/** Rates over several processes: every request takes a place of its own in one line, and goes when it is due. */
export function createSharedRates({ limits, providers, now, sleep }: SharedRateOptions): SharedRates {
  async function takePlace(provider: string, tokens: number): Promise<number> {
    const { requestsPerMinute, tokensPerMinute } = providers[provider] ?? {}
    const wait = async (what: 'requests' | 'tokens', amount: number, perMinute: number | undefined, burst: number) => {
      if (perMinute === undefined) return 0
      const intervalMicros = MINUTE_MICROS / perMinute
      return (await limits.take({ name: `${what} ${provider}`, amount, intervalMicros, burst })).waitMicros
    }
    const mostTokens = Math.min(tokens, tokensPerMinute ?? tokens)
    const [requests, ofTokens] = await Promise.all([
      wait('requests', 1, requestsPerMinute, Math.min(BURST, requestsPerMinute ?? BURST)),
      wait('tokens', mostTokens, tokensPerMinute, Math.min(BURST * mostTokens, tokensPerMinute ?? 1)),
    ])
    // Counted from when the answer came, so rather late than early.
    return now() + Math.max(requests, ofTokens) / 1000
  }

  return {
    async admit(provider, tokens, signal) {
      const { requestsPerMinute, tokensPerMinute } = providers[provider] ?? {}
      if (requestsPerMinute === undefined && tokensPerMinute === undefined) return !signal.aborted
      while (!signal.aborted) {
        const due = await takePlace(provider, tokens)
        for (let wait = due - now(); wait > 0 && !signal.aborted; wait = due - now()) await sleep(wait, signal)
        if (now() - due <= LATE_MS) break
      }
      return !signal.aborted
    },
    async settle(provider, unusedTokens) {
      const { tokensPerMinute } = providers[provider] ?? {}
      if (tokensPerMinute === undefined || !(unusedTokens > 0)) return
      const unused = Math.min(unusedTokens, tokensPerMinute)
      await limits.giveBack({ name: `tokens ${provider}`, micros: (unused * MINUTE_MICROS) / tokensPerMinute })
    },
  }
}
