import { CertificateError } from '@quorate/certificate'

export interface TrafficLimits {
  /** Calls in flight, across all providers. */
  readonly concurrency: number
  /** Attempts for one answer. */
  readonly attempts: number
  /** For one attempt. */
  readonly timeoutMs: number
  /** By the name that models give as their provider. */
  readonly providers: Readonly<Record<string, ProviderLimits>>
  readonly backOff: { readonly firstMs: number; readonly mostMs: number }
  readonly breaker: BreakerLimits
}

export interface ProviderLimits {
  readonly concurrency?: number | undefined
  readonly requestsPerMinute?: number | undefined
  /** Input and output together. */
  readonly tokensPerMinute?: number | undefined
}

export interface BreakerLimits {
  /** Hard failures in a row, across all calls of a model, that open the breaker. */
  readonly failures: number
  /** How long the breaker stays open at first. Each failed probe doubles it. */
  readonly restMs: number
  readonly mostRestMs: number
  /** Failed probes after which waiting calls fail, because the model is down. */
  readonly probes: number
}

export const DEFAULT_LIMITS: TrafficLimits = Object.freeze({
  concurrency: 16,
  attempts: 8,
  timeoutMs: 120_000,
  providers: {},
  backOff: { firstMs: 500, mostMs: 60_000 },
  breaker: { failures: 12, restMs: 10_000, mostRestMs: 300_000, probes: 3 },
})

export function resolveLimits(limits: Partial<TrafficLimits>): TrafficLimits {
  const resolved = { ...DEFAULT_LIMITS, ...limits }
  const { concurrency, attempts, timeoutMs, backOff, breaker } = resolved
  const counts = { concurrency, attempts, 'breaker.failures': breaker.failures, 'breaker.probes': breaker.probes }
  for (const [name, value] of Object.entries(counts)) {
    if (!(Number.isInteger(value) && value >= 1)) throw invalidLimit(name, 'a whole number from 1', value)
  }
  const times = { timeoutMs, 'backOff.firstMs': backOff.firstMs, 'backOff.mostMs': backOff.mostMs }
  for (const [name, value] of Object.entries({ ...times, 'breaker.restMs': breaker.restMs })) {
    if (!(value > 0)) throw invalidLimit(name, 'milliseconds above 0', value)
  }
  for (const [provider, rates] of Object.entries(resolved.providers)) {
    for (const [name, value] of Object.entries(rates)) {
      if (value !== undefined && !(value >= 1))
        throw invalidLimit(`providers.${provider}.${name}`, 'a number from 1', value)
    }
  }
  return resolved
}

function invalidLimit(parameter: string, expected: string, received: unknown): CertificateError {
  return new CertificateError('createTraffic', parameter, expected, received)
}
