import { decimal, markdownTable, percent } from '../../tables/markdown.ts'
import { GROUP_BETAS, GROUP_RULE_NAMES, type GroupControlCell, type GroupRule } from '../measure/group-control.ts'
import { meanOf } from '../measure/outcome.ts'
import { TWO_TWINS } from '../paper/epsilon-sensitivity.ts'
import type { MeasuredSplits } from '../tasks.ts'
import { measuredTwins, type Table } from './table.ts'

interface GroupWorld {
  readonly title: string
  readonly splits: MeasuredSplits['splits']
}

/** The paper proposes it if domains differ (law in MMLU-Pro, the hard subtasks of BBH), but does not run it. */
export const groupControlTable: Table = {
  number: null,
  name: 'group-control',
  title: 'Group-conditional control',
  text: (measured) => textOf(measuredTwins(measured, TWO_TWINS).map(({ title, twin }) => ({ title, ...twin }))),
}

export const realGroupControlTable: Table = {
  number: null,
  name: 'group-control-real',
  title: 'Group-conditional control on real answers',
  text: ({ real }) => textOf(real.map(({ world, splits }) => ({ title: world.title, splits }))),
}

function textOf(all: readonly GroupWorld[]): string {
  const worlds = all.filter(({ splits }) => splits.some(({ groupControl }) => groupControl.length > 0))
  if (worlds.length === 0) return 'No world with groups was measured.'
  return `The paper proposes one certificate per group where domains differ, at delta / G for G groups, but runs none. A question lies in one group, so
the ordinary delta within the group's rows already gives P(act and wrong | group) <= beta; delta / G is the price of a claim about all
groups at once. *Pooled* keeps beta over all questions and may exceed it in a group, which is the motivation. Over budget: groups whose share
acted on and wrong, mean over the splits, is above beta. Pairs: the same for single splits, where a small group may be above it by chance.

${markdownTable(['world', 'rule', 'beta', 'Act %', 'WA / beta, all', 'WA / beta, worst group', 'groups over budget', 'pairs over budget'], worlds.flatMap(summaryRows))}

Group by group at beta ${DETAIL_BETA.toFixed(2)}: share acted on and wrong of the group's test questions in per cent (share acted on), mean over the
splits; training labels of the first split.

${markdownTable(['world', 'group', 'labels', ...DETAIL_RULES], worlds.flatMap(detailRows))}`
}

const DETAIL_BETA = 0.2
const DETAIL_RULES: readonly GroupRule[] = [
  'paper, pooled',
  'paper, by group at delta',
  'cells, by group',
  'total, pooled',
  'total, by group',
]

function summaryRows({ title, splits }: GroupWorld): string[][] {
  return GROUP_RULE_NAMES.flatMap((rule) =>
    GROUP_BETAS.map((beta) => {
      const perSplit = splits.map(({ groupControl }) =>
        groupControl.filter((cell) => cell.rule === rule && cell.beta === beta),
      )
      const groups = groupRates(perSplit.flat())
      const pairs = perSplit.flat().filter(({ debates }) => debates > 0)
      const over = pairs.filter((cell) => wrongShare(cell) > beta)
      const totals = perSplit.map(sumOf)
      const used = totals.map((cell) => wrongShare(cell) / beta)
      return [
        title,
        rule,
        beta.toFixed(2),
        percent(meanOf(totals.map(({ acted, debates }) => acted / debates))),
        decimal(meanOf(used), 2),
        decimal(Math.max(...groups.map(({ wrong }) => wrong)) / beta, 2),
        `${groups.filter(({ wrong }) => wrong > beta).length} of ${groups.length}`,
        `${over.length} of ${pairs.length}`,
      ]
    }),
  )
}

function detailRows({ title, splits }: GroupWorld): string[][] {
  const cells = splits.flatMap(({ groupControl }) => groupControl.filter(({ beta }) => beta === DETAIL_BETA))
  const groups = [...new Set(cells.map(({ group }) => group))].sort()
  return groups.map((group) => [
    title,
    group,
    String(cells.find((cell) => cell.group === group)?.labels ?? 0),
    ...DETAIL_RULES.map((rule) => {
      const [found] = groupRates(cells.filter((cell) => cell.rule === rule && cell.group === group))
      return found === undefined ? '-' : `${percent(found.wrong)} (${percent(found.act)})`
    }),
  ])
}

/** Means over the splits, one per group. */
export function groupRates(cells: readonly GroupControlCell[]): { group: string; act: number; wrong: number }[] {
  const groups = [...new Set(cells.map(({ group }) => group))]
  return groups.flatMap((group) => {
    const own = cells.filter((cell) => cell.group === group && cell.debates > 0)
    if (own.length === 0) return []
    return [
      { group, act: meanOf(own.map(({ acted, debates }) => acted / debates)), wrong: meanOf(own.map(wrongShare)) },
    ]
  })
}

function sumOf(cells: readonly GroupControlCell[]) {
  const sum = (pick: (cell: GroupControlCell) => number) => cells.reduce((total, cell) => total + pick(cell), 0)
  return { debates: sum(({ debates }) => debates), acted: sum(({ acted }) => acted), right: sum(({ right }) => right) }
}

function wrongShare({ acted, right, debates }: Pick<GroupControlCell, 'acted' | 'right' | 'debates'>): number {
  return (acted - right) / debates
}
