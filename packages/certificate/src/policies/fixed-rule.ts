import { checkBudget } from '../budget.ts'
import type { ReadPanel } from '../certificate/panel.ts'
import { heldPanels } from './held-panels.ts'
import type { FittedPolicy, PolicyName } from './policy.ts'
import { UNTUNED } from './tuning.ts'

/** A rule that learns nothing and heeds no budget. */
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
        heldPanels(name, debates, rounds),
        (panel) => order.find((round) => acts(panel, round)) ?? 0,
      )
      return {
        at(budget) {
          checkBudget(name, budget)
          // A copy: the caller may write to it.
          return { ...UNTUNED, actedAt: actedAt.slice() }
        },
      }
    },
  }
}
