import type { Budget, ResolvedBudget } from '../budget.ts'
import type { SplitTrials } from './learning-curve.ts'
import type { OtherSplit, Spread } from './plan.ts'
import { spread, withReserve } from './spread.ts'

const LEAST_DELTA = 0.001
/** A delta that is not much smaller is no advice. */
const NOTABLY = 0.75

/**
 * A tenth of beta for delta, where that allows a smaller beta: a rule that looks at no label, because the promise does
 * not cover a delta chosen by labels. epsilon stays: it is an assumption about the state, not a wish.
 */
export function otherSplit(
  splits: readonly SplitTrials[],
  budget: ResolvedBudget,
  reached: Spread | null,
): OtherSplit | null {
  const delta = Math.max(LEAST_DELTA, Number((budget.beta / 10).toPrecision(1)))
  if (delta > NOTABLY * budget.delta) return null
  const other = { beta: budget.beta, delta, epsilon: budget.epsilon }
  const found = spread(splits.map((trials) => trials.at(-1)?.smallestAlphaWith(other) ?? null))
  const smallestBeta = withReserve(found, other)
  if (smallestBeta === null) return null
  const before = withReserve(reached, budget)
  if (before !== null && smallestBeta.median >= before.median) return null
  return { delta, epsilon: budget.epsilon, smallestBeta, reaches: smallestBeta.median <= budget.beta }
}

/** The same trials, with what they reach when beta is shared out in another way. */
export function trialsWith(splits: readonly SplitTrials[], other: Budget): SplitTrials[] {
  return splits.map((trials) => trials.map((trial) => ({ ...trial, smallestAlpha: trial.smallestAlphaWith(other) })))
}
