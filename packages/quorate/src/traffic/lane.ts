import { type AdaptiveLimit, adaptiveLimit } from './adaptive-limit.ts'
import type { ProviderLimits } from './limits.ts'
import { type RateEntry, type RateWindow, rateWindow } from './rate-window.ts'

/** What the models of one provider share. */
export interface Lane {
  readonly adaptive: AdaptiveLimit
  readonly requests: RateWindow | null
  readonly tokens: RateWindow | null
  /** Nothing starts before: the provider asked for it. */
  pausedUntil: number
  inFlight: number
  /** Announced and not started: the requests, and the tokens taken for them. */
  announced: number
  announcedTokens: number
}

export function createLane(limits: ProviderLimits, concurrency: number): Lane {
  const { requestsPerMinute, tokensPerMinute } = limits
  return {
    adaptive: adaptiveLimit(Math.min(concurrency, limits.concurrency ?? concurrency)),
    requests: requestsPerMinute === undefined ? null : rateWindow(requestsPerMinute),
    tokens: tokensPerMinute === undefined ? null : rateWindow(tokensPerMinute),
    pausedUntil: Number.NEGATIVE_INFINITY,
    inFlight: 0,
    announced: 0,
    announcedTokens: 0,
  }
}

/**
 * Milliseconds until pause and rates let one more through; 0: now. At the first gate what is announced already goes
 * before it.
 */
export function laneWaitMs(
  lane: Lane,
  now: number,
  next: { readonly tokens: number; readonly isAnnounced: boolean },
): number {
  const [requests, tokens] = next.isAnnounced ? [0, 0] : [lane.announced, lane.announcedTokens]
  return Math.max(
    0,
    lane.pausedUntil - now,
    lane.requests?.waitMs(now, 1, requests) ?? 0,
    lane.tokens?.waitMs(now, next.tokens, tokens) ?? 0,
  )
}

/** Counts one request; the entry is settled when its real tokens are known. */
export function takeRates(lane: Lane, now: number, tokens: number): RateEntry | null {
  lane.requests?.take(now, 1)
  return lane.tokens?.take(now, tokens) ?? null
}
