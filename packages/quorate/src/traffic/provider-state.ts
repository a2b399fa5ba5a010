import { type RateEntry, type RateLimit, rateWindow, spacedRate } from './rate-limit.ts'
import type { ProviderLimits } from './traffic-limits.ts'

/** What the models of one provider share. */
export interface ProviderState {
  readonly adaptive: AdaptiveLimit
  readonly requests: RateLimit | null
  readonly tokens: RateLimit | null
  /** No attempt starts before this time, because the provider asked for a pause. */
  pausedUntil: number
  /** Attempts that have a slot. */
  inFlight: number
}

/** What an attempt used of the rate limits of its provider. */
export interface TakenRates {
  readonly requests: RateEntry | null
  readonly tokens: RateEntry | null
}

export interface ProviderOptions {
  readonly limits: ProviderLimits
  readonly concurrency: number
  /** This process's share of the rate limits, 0 while it is unknown. Absent: this is the only process. */
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

/** Milliseconds until the pause and the rate limits admit an attempt of so many tokens; 0: now. */
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

/** Factor on the limit after the provider rejected a call. */
const DECREASE = 0.7
/** Windows of successful calls from an empty limit to the full one. */
const WINDOWS_TO_RECOVER = 8

export interface AdaptiveLimit {
  /** Calls that may be in flight, from 1. */
  current(): number
  succeeded(): void
  /** The provider rejected a call that was started at this time. */
  rejected(startedAt: number, now: number): void
}

/**
 * Additive increase, multiplicative decrease. All calls that were in flight together carry the same information, so
 * they cause one step down. Every window of successful calls adds an eighth of the ceiling.
 */
export function adaptiveLimit(ceiling: number): AdaptiveLimit {
  let limit = ceiling
  let loweredAt = Number.NEGATIVE_INFINITY
  const step = Math.max(1, ceiling / WINDOWS_TO_RECOVER)
  return {
    current: () => Math.floor(limit),
    succeeded() {
      limit = Math.min(ceiling, limit + step / limit)
    },
    rejected(startedAt, now) {
      if (startedAt < loweredAt) return
      limit = Math.max(1, limit * DECREASE)
      loweredAt = now
    },
  }
}
