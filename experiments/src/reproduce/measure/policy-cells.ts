import type { Budget, FittedPolicy, Policy, PolicyName, ReadDebates, Replay, Unfit } from '@quorate/certificate'
import { FIVE_BUDGETS, usualBudget } from './budgets.ts'
import { type Cell, type KindCount, kindCounts, outcomeOf } from './outcome.ts'
import type { SplitDebates } from './worlds.ts'

/** A cell with its actions counted by kind of debate. */
export interface CellByKind extends Cell {
  readonly kinds: readonly KindCount[]
}

/** Results of one policy on one test half, or why it could not be fitted. */
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

export function fitPolicies(train: ReadDebates, policies: readonly Policy[], seed: number): FittedPolicies {
  return new Map(policies.map((policy) => [policy.name, policy.fit(train, { seed })]))
}

/** Replays in `replays` are reused: `paper` is also the method that the paper's tables are about. */
export interface PolicyCellsOptions {
  /** The split's own budget; null without one. */
  readonly beta: number | null
  readonly replays?: ReadonlyMap<PolicyName, Pick<Replay, 'at'>>
}

export function policyCells(
  fitted: FittedPolicies,
  { test }: SplitDebates,
  { beta, replays }: PolicyCellsOptions,
): PolicyCells[] {
  return [...fitted].map(([name, policy]): PolicyCells => {
    if (policy.kind === 'unfit') return { kind: 'unfit', name, reason: policy.reason }
    const replayed = replays?.get(name) ?? policy.replay(test)
    const cellUnder = (budget: Budget): CellByKind => {
      const { actedAt } = replayed.at(budget)
      return {
        beta: budget.beta,
        outcome: outcomeOf(test.debates, actedAt),
        kinds: kindCounts(test.debates, actedAt),
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
