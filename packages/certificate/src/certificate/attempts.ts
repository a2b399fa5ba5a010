import type { Budget } from '../budget.ts'
import { resolvePromise, type TotalPromise } from '../total/promise.ts'
import type { TotalCertificate } from './total-certificate.ts'

/**
 * Attempt number of each promise that was tested on the same labels, by the key of the promise. A certificate and all that are
 * derived from it share one map, which `withBudget` extends: if each call returned a new count instead, two budgets tried on
 * one certificate would both be its second attempt.
 */
export type Attempts = Map<string, number>

export function firstAttempt(promise: TotalPromise): Attempts {
  return new Map([[keyOf(promise), promise.attempt]])
}

/** Counts the budget as a further attempt, unless it declares its attempt or the same promise was requested before. */
export function furtherAttempt(own: TotalPromise, attempts: Attempts, budget: Budget): Budget {
  if (budget.total?.attempt !== undefined) return budget
  const { attempt: declared, isJudged } = own
  const asked = keyOf(
    resolvePromise('certificate', { beta: budget.beta, ...budget.total, isJudged, attempt: declared }),
  )
  if (asked === keyOf(own)) return { ...budget, total: { ...budget.total, attempt: own.attempt } }
  const next = [...attempts.values()].reduce((most, made) => Math.max(most, made), own.attempt) + 1
  const attempt = attempts.get(asked) ?? next
  attempts.set(asked, attempt)
  return { ...budget, total: { ...budget.total, attempt } }
}

/** The budget as if it had been declared in place of the certificate's own, before the labels were read. */
export function declaredInstead({ promise }: TotalCertificate, budget: Budget): Budget {
  return { ...budget, total: { attempt: promise.attempt, ...budget.total } }
}

function keyOf({ kind, beta, delta, floor, answers }: TotalPromise): string {
  return JSON.stringify([kind, beta, delta, floor, answers])
}
