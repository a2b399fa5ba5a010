import { type AlphaRule, type ResolvedBudget, resolveBudget, type TotalBudget } from '../budget.ts'
import { fitCurve } from './curve-fits.ts'
import { labelFloor, type PlanProfile } from './label-floor.ts'
import { labelsMissing } from './labels-outlook.ts'
import { type CurveSize, learningCurve } from './learning-curve.ts'
import type { Milestone, OtherSplit } from './plan.ts'

export interface MilestoneInput {
  readonly profile: PlanProfile
  readonly budget: ResolvedBudget
  readonly rule: AlphaRule
  readonly rounds: number
  readonly n: number
  readonly scoreChangesAt: number | null
  readonly seed: number
  readonly total?: TotalBudget
}

const ROUND_BETAS = [
  0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5,
]
const MOST = 3

/**
 * Labels for betas on the way to one that is not reached. Where the declared split of beta leaves no alpha, they are for
 * the other one, or there would be nothing to say.
 */
export function milestones(
  declared: readonly CurveSize[],
  { profile, budget, rule, rounds, n, scoreChangesAt, seed, total }: MilestoneInput,
  other: OtherSplit | null,
): Milestone[] {
  const { delta, epsilon } = !budget.feasible && other ? other : budget
  const curve = delta === budget.delta ? declared : learningCurve(declared, { beta: budget.beta, delta, epsilon }, rule)
  const smallest = curve.at(-1)?.reach.beta ?? null
  if (smallest === null) return []
  const fits = fitCurve(curve, seed)
  return ROUND_BETAS.filter((beta) => beta < smallest && beta > budget.beta)
    .slice(-MOST)
    .reverse()
    .map((beta) => {
      const asked = resolveBudget('plan', { beta, delta, epsilon }, rule)
      const floor = labelFloor(profile, total ? { ...asked, total } : asked, rounds)
      const labels = labelsMissing({ n, budget: asked, rule, floor, sizes: curve, fits, scoreChangesAt })
      return { beta, delta, epsilon, labels }
    })
}
