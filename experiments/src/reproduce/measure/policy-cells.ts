import type { Budget, FittedPolicy, Panels, Policy, PolicyName, Unfit } from '@quorate/certificate'
import { FIVE_BUDGETS, usualBudget } from './budgets.ts'
import { type Cell, outcomeOf } from './outcome.ts'
import type { SplitPanels } from './worlds.ts'

/** What one policy did on one test half, or why it could not be fitted. */
export type PolicyCells =
  | {
      readonly kind: 'ran'
      readonly name: PolicyName
      /** At the split's own budget; null without one. */
      readonly operating: Cell | null
      /** In the order of FIVE_BUDGETS. */
      readonly five: readonly Cell[]
    }
  | { readonly kind: 'unfit'; readonly name: PolicyName; readonly reason: string }

export type FittedPolicies = ReadonlyMap<PolicyName, FittedPolicy | Unfit>

export function fitPolicies(train: Panels, policies: readonly Policy[], seed: number): FittedPolicies {
  return new Map(policies.map((policy) => [policy.name, policy.fit(train, { seed })]))
}

export function policyCells(fitted: FittedPolicies, { test }: SplitPanels, beta: number | null): PolicyCells[] {
  return [...fitted].map(([name, policy]): PolicyCells => {
    if (policy.kind === 'unfit') return { kind: 'unfit', name, reason: policy.reason }
    const replayed = policy.replay(test)
    const cellUnder = (budget: Budget): Cell => ({
      beta: budget.beta,
      outcome: outcomeOf(test.panels, replayed.at(budget).actedAt),
    })
    return {
      kind: 'ran',
      name,
      operating: beta === null ? null : cellUnder(usualBudget(beta)),
      five: FIVE_BUDGETS.map(cellUnder),
    }
  })
}
