import type { TrafficLimits } from './limits.ts'
import type { SharedBreakers } from './shared-breakers.ts'
import type { SharedRates } from './shared-rates.ts'
import type { AttemptResult, Sleep } from './traffic.ts'

/** What is kept together with other processes. */
export interface SharedTraffic {
  readonly rates: SharedRates
  readonly breakers: SharedBreakers
  /** Throws where this process was away so long that others do its work by now: nothing more may be sent. */
  readonly checkLease: () => void
}

/** One attempt that is about to be sent. */
export interface Entry {
  readonly provider: string
  /** Upper estimate. */
  readonly tokens: number
  readonly signal: AbortSignal
  readonly now: () => number
  readonly sleep: Sleep
}

/** Resolves when all processes together may send one more; false: the signal fired first. */
export async function enterTogether(shared: SharedTraffic, entry: Entry): Promise<boolean> {
  const { rates, breakers, checkLease } = shared
  const { provider, tokens, signal, now, sleep } = entry
  const pause = () => breakers.pausedUntil(provider) - now()
  for (let wait = pause(); wait > 0 && !signal.aborted; wait = pause()) await sleep(wait, signal)
  if (!(await rates.admit(provider, tokens, signal))) return false
  checkLease()
  return true
}

/** What an attempt that was sent tells the others; beside the calls, none of which waits for it. */
export function learnTogether(
  { rates, breakers }: SharedTraffic,
  { provider, tokens }: Entry,
  result: AttemptResult,
): void {
  if (result.kind === 'reply') {
    const { usage } = result.reply
    if (usage !== null) rates.settle(provider, { admitted: tokens, used: usage.inputTokens + usage.outputTokens })
    return
  }
  const { kind, retryAfterMs, charged } = result.error
  if (charged === 'no') rates.settle(provider, { admitted: tokens, used: 0 })
  if (retryAfterMs !== null && (kind === 'rate-limit' || kind === 'overloaded')) breakers.pause(provider, retryAfterMs)
}

/** Rates that all processes keep are kept where all of them can see them. */
export function withoutRates(providers: TrafficLimits['providers']): TrafficLimits['providers'] {
  const bare = Object.entries(providers).map(([name, { concurrency }]) => [name, { concurrency }] as const)
  return Object.fromEntries(bare)
}
