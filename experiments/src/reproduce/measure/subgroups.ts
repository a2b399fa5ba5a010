import { type GroupTally, type Panels, type Replay, tallyActions } from '@quorate/certificate'
import { relativeBeta, usualBudget } from './budgets.ts'
import { finalError, type SplitPanels } from './worlds.ts'

export interface SubgroupCell {
  readonly group: string
  /** Debates of the group in both halves. */
  readonly size: number
  /** Multiplier times the group's own training error: may be no budget; null without a multiplier. */
  readonly asked: number | null
  /** What happened on the group's test debates; null where it is no budget or there is none to test. */
  readonly tally: GroupTally | null
}

/** The pooled certificate on each group's test debates, under the pooled multiplier of the group's own error. */
export function subgroupCells(
  replayed: Replay,
  { train, test }: SplitPanels,
  pooledLambda: number | null,
): SubgroupCell[] {
  const groups = new Set([...train.panels, ...test.panels].flatMap(({ record }) => record.group ?? []))
  return [...groups].sort().map((group) => {
    const isOwn = ({ record }: Panels['panels'][number]) => record.group === group
    const own = train.panels.filter(isOwn)
    const error = own.length === 0 ? 0 : finalError({ ...train, panels: own })
    const beta = relativeBeta(pooledLambda, error)
    return {
      group,
      size: own.length + test.panels.filter(isOwn).length,
      asked: pooledLambda === null ? null : pooledLambda * error,
      tally: beta === null ? null : (groupTallies(replayed, test, beta).get(group) ?? null),
    }
  })
}

export interface GroupActions extends GroupTally {
  readonly group: string
}

/** What was acted on under one budget for all, group by group. */
export function actionsByGroup(replayed: Replay, test: Panels, beta: number | null): GroupActions[] {
  if (beta === null) return []
  return [...groupTallies(replayed, test, beta)].map(([group, tally]) => ({ group, ...tally })).sort(byGroup)
}

function groupTallies(replayed: Replay, test: Panels, beta: number): ReadonlyMap<string, GroupTally> {
  return tallyActions(test.panels, replayed.at(usualBudget(beta)).actedAt, { protocol: 'debate' }).groups
}

function byGroup(left: GroupActions, right: GroupActions): number {
  return left.group < right.group ? -1 : 1
}
