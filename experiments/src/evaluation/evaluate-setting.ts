import { calibrate, replay } from '@quorate/certificate'
import type { Draw } from '../worlds/worlds.ts'
import type { SplitOutcome } from './operating-point.ts'
import { BETAS, DELTA, EPSILON, type Setting } from './settings.ts'

/** Calibrates on one half and decides the other under each budget, in the order of `betas`. */
export function evaluateSetting(
  { train, test, questions, chances }: Draw,
  { options }: Setting,
  betas: readonly number[] = BETAS,
): SplitOutcome[] {
  const budgets = betas.map((beta) => ({ beta, delta: DELTA, epsilon: EPSILON }))
  const certificate = calibrate(train, { ...options, budget: budgets[0]! })
  const stored = replay(certificate, test)
  const { rounds } = stored
  return budgets.map((budget) => {
    const { actedAt } = stored.at(budget)
    const { threshold, epsilon } = certificate.withBudget(budget).budget
    const chance = Float64Array.from(actedAt, (round, row) =>
      round === 0 ? Number.NaN : chances[row * rounds + round - 1]!,
    )
    return { rounds, line: threshold - epsilon, questions, actedAt, chance }
  })
}
