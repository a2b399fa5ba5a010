import type { PolicyName, SplitTally } from '@quorate/certificate'

/** A policy whose tuned threshold was the loosest that the paper's grid has: a wider grid might act more. */
export interface GridEnd {
  readonly name: PolicyName
  readonly splits: number
}

/** Tuned over the paper's grid, 200 points of [.5, 1]. */
const TUNED_ON_GRID: readonly PolicyName[] = [
  'conformal-risk-control',
  'selective-prediction',
  'calibrated-learned',
  'isotonic-confidence',
]
const LOOSEST = 0.5

/** Of the budget at that place of the list that was evaluated. */
export function gridEnds(splits: readonly SplitTally[], place: number): GridEnd[] {
  return TUNED_ON_GRID.flatMap((name) => {
    const ending = splits.filter(({ policies }) =>
      policies.some(
        (policy) => policy.kind === 'ran' && policy.name === name && policy.budgets[place]?.threshold === LOOSEST,
      ),
    )
    return ending.length === 0 ? [] : [{ name, splits: ending.length }]
  })
}
