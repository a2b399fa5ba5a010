import {
  type Budget,
  type FittedPolicy,
  type KindCode,
  type Panels,
  type Policy,
  type PolicyName,
  tallyActions,
  type Unfit,
} from '@quorate/certificate'
import { FIVE_BUDGETS, usualBudget } from './budgets.ts'
import type { Cell } from './outcome.ts'
import type { SplitPanels } from './worlds.ts'

/** A cell with its actions counted by kind of debate. */
export interface CellByKind extends Cell {
  readonly kinds: readonly KindCount[]
}

/** Of the debates of one kind, those acted on, and those of them that were right. */
export type KindCount = readonly [kind: KindCode, acted: number, right: number]

/** What one policy did on one test half, or why it could not be fitted. */
export type PolicyCells =
  | {
      readonly kind: 'ran'
      readonly name: PolicyName
      /** At the split's own budget; null without one. */
      readonly operating: Cell | null
      /** In the order of FIVE_BUDGETS. */
      readonly five: readonly CellByKind[]
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
    const cellUnder = (budget: Budget): CellByKind => {
      const tally = tallyActions(test.panels, replayed.at(budget).actedAt, { protocol: 'debate' })
      const { debates, acted, right, kinds } = tally
      return {
        beta: budget.beta,
        outcome: { debates, acted, right },
        kinds: [...kinds].map(([kind, count]) => [kind, count.acted, count.right]),
      }
    }
    return {
      kind: 'ran',
      name,
      operating: beta === null ? null : cellUnder(usualBudget(beta)),
      five: FIVE_BUDGETS.map(cellUnder),
    }
  })
}
