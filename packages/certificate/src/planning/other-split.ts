import type { AlphaRule, ResolvedBudget } from '../budget.ts'
import type { SizeTrials } from './learning-curve.ts'
import type { OtherSplit, ReachedBeta } from './plan.ts'
import { reachedBeta, smallestBeta } from './smallest-beta.ts'

const LEAST_DELTA = 0.001
/** A delta that is not much smaller is no advice. */
const NOTABLY = 0.75

/**
 * A tenth of beta for delta, where that allows a smaller beta. The delta itself looks at no label, but that it is asked
 * for does: it is advice for labels not used here, and who prints it says so. epsilon stays: it is an assumption about
 * the state, not a wish.
 */
export function otherSplit(
  size: SizeTrials | undefined,
  { budget, rule }: { readonly budget: ResolvedBudget; readonly rule: AlphaRule },
  reached: ReachedBeta | null,
): OtherSplit | null {
  const { beta, epsilon } = budget
  const delta = Math.max(LEAST_DELTA, Number((beta / 10).toPrecision(1)))
  if (delta > NOTABLY * budget.delta || size === undefined) return null
  const found = reachedBeta(smallestBeta(size.trials, { beta, delta, epsilon }, rule))
  if (found === null || (reached !== null && found.beta >= reached.beta)) return null
  return { delta, epsilon, smallestBeta: found, reaches: found.beta <= beta }
}
