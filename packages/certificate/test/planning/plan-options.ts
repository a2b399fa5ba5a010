import { betaFor } from '../../src/budget.ts'
import type { PlanOptions } from '../../src/planning/make-plan.ts'

export const DELTA = 0.03
/** The beta of one round of cells that leaves this alpha. */
export const betaOf = (alpha: number) =>
  betaFor(alpha, { delta: DELTA, epsilon: 0 }, { kind: 'every-round', rounds: 1 })
export const optionsOf = (beta: number, more: Partial<PlanOptions> = {}): PlanOptions => ({
  profile: 'cells',
  budget: { beta, delta: DELTA, epsilon: 0.02 },
  seeds: [7, 11, 13],
  ...more,
})
