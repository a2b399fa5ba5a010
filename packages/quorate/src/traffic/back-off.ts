import type { Random } from '@quorate/certificate'
import type { ModelErrorKind } from '../model/model-error.ts'

const RETRYABLE: ReadonlySet<ModelErrorKind> = new Set([
  'rate-limit',
  'overloaded',
  'server',
  'network',
  'time-out',
  'malformed',
  'empty',
])

export function isRetryable(kind: ModelErrorKind): boolean {
  return RETRYABLE.has(kind)
}

export interface BackOffPlan {
  readonly firstMs: number
  readonly mostMs: number
  readonly random: Random
}

/**
 * Milliseconds to wait after the n-th failure, from 1: what the provider asked for, however long, plus a uniform random
 * time below a ceiling that doubles (full jitter).
 */
export function backOffMs(failures: number, retryAfterMs: number | null, plan: BackOffPlan): number {
  const ceiling = Math.min(plan.mostMs, plan.firstMs * 2 ** (failures - 1))
  return (retryAfterMs ?? 0) + plan.random() * ceiling
}
