import { type AdaptiveLimit, adaptiveLimit } from './adaptive-limit.ts'
import type { ProviderLimits } from './limits.ts'
import { type RateEntry, type RateLimit, rateWindow } from './rate-window.ts'
import { spacedRate } from './spaced-rate.ts'

/** What the models of one provider share. */
export interface ProviderState {
  readonly adaptive: AdaptiveLimit
  readonly requests: RateLimit | null
  readonly tokens: RateLimit | null
  /** Nothing starts before: the provider asked for it. */
  pausedUntil: number
  /** Attempts that have a slot. */
  inFlight: number
}

/** What an attempt took of the rates of its provider. */
export interface TakenRates {
  readonly requests: RateEntry | null
  readonly tokens: RateEntry | null
}

export interface ProviderOptions {
  readonly limits: ProviderLimits
  readonly concurrency: number
  /** Which part of the rates is this process's, 0 while that is not known. Absent: it is the only process. */
  readonly share?: (() => number) | undefined
}

export function createProviderState({ limits, concurrency, share }: ProviderOptions): ProviderState {
  const { requestsPerMinute, tokensPerMinute } = limits
  const rateOf = (perMinute: number) => (share === undefined ? rateWindow(perMinute) : spacedRate(perMinute, share))
  return {
    adaptive: adaptiveLimit(Math.min(concurrency, limits.concurrency ?? concurrency)),
    requests: requestsPerMinute === undefined ? null : rateOf(requestsPerMinute),
    tokens: tokensPerMinute === undefined ? null : rateOf(tokensPerMinute),
    pausedUntil: Number.NEGATIVE_INFINITY,
    inFlight: 0,
  }
}

/** Milliseconds until pause and rates let an attempt with so many tokens through; 0: now. */
export function providerWaitMs(provider: ProviderState, now: number, tokens: number): number {
  return Math.max(
    0,
    provider.pausedUntil - now,
    provider.requests?.waitMs(now, 1) ?? 0,
    provider.tokens?.waitMs(now, tokens) ?? 0,
  )
}

export function takeRates({ requests, tokens }: ProviderState, now: number, amount: number): TakenRates {
  return { requests: requests?.take(now, 1) ?? null, tokens: tokens?.take(now, amount) ?? null }
}
