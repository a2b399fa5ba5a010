import { type GroupTally, type ReadDebates, type Replay, tallyActions } from '@quorate/certificate'
import { relativeBeta, usualBudget } from './budgets.ts'
import { finalError, type SplitDebates } from './worlds.ts'

export interface SubgroupCell {
  readonly group: string
  /** Debates of the group in both halves. */
  readonly size: number
  /** Multiplier times the group's own training error, which may not be a budget; null without a multiplier. */
  readonly asked: number | null
  /** Results on the group's test debates; null if it is not a budget or there are none to test. */
  readonly tally: GroupTally | null
}

/**
 * Results of the pooled certificate on each group's test debates, with the pooled multiplier applied to the group's own
 * error.
 */
export function subgroupCells(
  replayed: Replay,
  { train, test }: SplitDebates,
  pooledLambda: number | null,
): SubgroupCell[] {
  const groups = new Set([...train.debates, ...test.debates].flatMap(({ record }) => record.group ?? []))
  return [...groups].sort().map((group) => {
    const isOwn = ({ record }: ReadDebates['debates'][number]) => record.group === group
    const own = train.debates.filter(isOwn)
    const error = own.length === 0 ? 0 : finalError({ ...train, debates: own })
    const beta = relativeBeta(pooledLambda, error)
    return {
      group,
      size: own.length + test.debates.filter(isOwn).length,
      asked: pooledLambda === null ? null : pooledLambda * error,
      tally: beta === null ? null : (groupTallies(replayed, test, beta).get(group) ?? null),
    }
  })
}

export interface GroupActions extends GroupTally {
  readonly group: string
}

/** Actions under one budget for all groups, by group. */
export function actionsByGroup(replayed: Replay, test: ReadDebates, beta: number | null): GroupActions[] {
  if (beta === null) return []
  return [...groupTallies(replayed, test, beta)].map(([group, tally]) => ({ group, ...tally })).sort(byGroup)
}

function groupTallies(replayed: Replay, test: ReadDebates, beta: number): ReadonlyMap<string, GroupTally> {
  return tallyActions(test.debates, replayed.at(usualBudget(beta)).actedAt, { protocol: 'debate' }).groups
}

function byGroup(left: GroupActions, right: GroupActions): number {
  return left.group < right.group ? -1 : 1
}
