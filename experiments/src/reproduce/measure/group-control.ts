import { type Budget, calibrate, type GroupTally, type ReadDebates, replay, tallyActions } from '@quorate/certificate'
import { usualBudget } from './budgets.ts'
import type { SplitDebates } from './worlds.ts'

/** Budgets at which every group is measured by itself. */
export const GROUP_BETAS = [0.1, 0.2, 0.3] as const

/** One certificate for all groups, or each question decided from the rows of its own group. */
export const GROUP_RULES = {
  'paper, pooled': { profile: 'paper' },
  'paper, by group at delta / G': { profile: 'paper', groupConditional: true, groupLevel: 'simultaneous' },
  'paper, by group at delta': { profile: 'paper', groupConditional: true, groupLevel: 'ordinary' },
  'cells, pooled': { profile: 'cells' },
  'cells, by group': { profile: 'cells', groupConditional: true },
  'total, pooled': { profile: 'total' },
  'total, by group': { profile: 'total', groupConditional: true },
} as const

export type GroupRule = keyof typeof GROUP_RULES

export const GROUP_RULE_NAMES = Object.keys(GROUP_RULES) as readonly GroupRule[]

export interface GroupControlCell extends Pick<GroupTally, 'debates' | 'acted' | 'right'> {
  readonly rule: GroupRule
  readonly beta: number
  readonly group: string
  /** Training debates of the group. */
  readonly labels: number
}

/** With fewer training debates per group, none can be certified by itself, and 57 subjects would take 57 fits. */
const FEWEST_A_GROUP = 60
const PILOT_FRACTION = 0.2

/**
 * Actions on each group's test debates under one certificate for all groups and under one of its own; empty without
 * groups.
 */
export function groupControlCells({ train, test }: SplitDebates, seed: number): GroupControlCell[] {
  const labels = countBy(train)
  if (labels.size < 2 || train.debates.length / labels.size < FEWEST_A_GROUP) return []
  return GROUP_RULE_NAMES.flatMap((rule) => {
    const choice = GROUP_RULES[rule]
    const split = choice.profile === 'total' ? { seed } : { seed, pilotFraction: PILOT_FRACTION }
    const certificate = calibrate(train, { ...choice, split, budget: usualBudget(GROUP_BETAS[0]), trustGrades: true })
    const replayed = replay(certificate, test)
    return GROUP_BETAS.flatMap((beta) => {
      const { groups } = tallyActions(test.debates, replayed.at(budgetOf(beta)).actedAt, { protocol: 'debate' })
      return [...groups].map(([group, { debates, acted, right }]) => {
        return { rule, beta, group, labels: labels.get(group) ?? 0, debates, acted, right }
      })
    })
  })
}

/** Every beta is declared before labels are read, so none of them is a further attempt. */
function budgetOf(beta: number): Budget {
  return { ...usualBudget(beta), total: { attempt: 1 } }
}

function countBy({ debates }: ReadDebates): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { record } of debates) {
    if (record.group !== null) counts.set(record.group, (counts.get(record.group) ?? 0) + 1)
  }
  return counts
}
