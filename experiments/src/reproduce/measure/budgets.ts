import type { Budget } from '@quorate/certificate'

/** What the paper's experiments reserve throughout. */
export const DELTA = 0.03
export const EPSILON = 0.02

/** A budget with the shares that the paper reserves. */
export function usualBudget(beta: number): Budget {
  return { beta, delta: DELTA, epsilon: EPSILON }
}

/** Budgets at which all policies are run on every twin and every recorded file. */
export const FIVE_BUDGETS: readonly Budget[] = [
  { beta: 0.05, delta: 0.01, epsilon: 0.01 },
  ...[0.1, 0.15, 0.2, 0.3].map(usualBudget),
]

/** Largest product of multiplier and error that is a budget. */
export const LARGEST_BETA = 0.99

/** Null if the product is not a budget. */
export function relativeBeta(lambda: number | null, error: number): number | null {
  if (lambda === null) return null
  const beta = lambda * error
  return beta > 0 && beta <= LARGEST_BETA ? beta : null
}
