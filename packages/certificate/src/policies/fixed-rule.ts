import { checkBudget } from '../budget.ts'
import type { ReadPanel } from '../certificate/panel.ts'
import { type FittedPolicy, type PolicyName, UNTUNED } from './policy.ts'
import { wholePanels } from './whole-panels.ts'

/** A rule that learns nothing and ignores the budget. */
export interface FixedRule {
  readonly name: PolicyName
  readonly rounds: number
  acts(panel: ReadPanel, round: number): boolean
}

export function fixedRule({ name, rounds, acts }: FixedRule): FittedPolicy {
  return {
    kind: 'fitted',
    at(budget) {
      checkBudget(name, budget)
      return { ...UNTUNED, actsAt: (panel, round) => round <= rounds && acts(panel, round) }
    },
    replay(debates) {
      const order = Array.from({ length: rounds }, (_, at) => at + 1)
      const actedAt = Uint8Array.from(
        wholePanels(name, debates, rounds),
        (panel) => order.find((round) => acts(panel, round)) ?? 0,
      )
      return {
        at(budget) {
          checkBudget(name, budget)
          // A copy, since the caller may write to it.
          return { ...UNTUNED, actedAt: actedAt.slice() }
        },
      }
    },
  }
}
