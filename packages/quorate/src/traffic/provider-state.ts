import type { ProviderLimits } from './limits.ts'
import { type RateEntry, type RateLimit, rateWindow, spacedRate } from './rate-limit.ts'

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

/** Share that is left after a provider said that it is too much, and how many windows it takes to come back. */
const LESS = 0.7
const WINDOWS_TO_RECOVER = 8

export interface AdaptiveLimit {
  /** Calls that may be in flight, from 1. */
  current(): number
  succeeded(): void
  /** The provider turned a call away that started then. */
  turnedAway(startedAt: number, now: number): void
}

/**
 * Additive increase, multiplicative decrease: one step down for all calls that were in flight together, because they
 * tell the same news; up by an eighth of the ceiling for every window of calls that went well.
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
    turnedAway(startedAt, now) {
      if (startedAt < loweredAt) return
      limit = Math.max(1, limit * LESS)
      loweredAt = now
    },
  }
}
