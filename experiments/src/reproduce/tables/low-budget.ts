import { decimal, markdownTable, percent } from '../../tables/markdown.ts'
import { TWIN_NAMES } from '../../twins/targets.ts'
import { FIVE_BUDGETS } from '../measure/budgets.ts'
import { fiveBudgetPoint } from './recorded.ts'
import { measuredTwins, type Table } from './table.ts'

const POLICIES = ['total', 'cells', 'tight', 'paper'] as const
const AT_10 = FIVE_BUDGETS.findIndex(({ beta }) => beta === 0.1)

/** Our profiles at beta = .10, where the paper certifies nothing. */
export const lowBudgetTable: Table = {
  number: null,
  name: 'beta-10',
  title: 'At beta = .10, where the paper certifies nothing',
  text(measured) {
    const rows = measuredTwins(measured, TWIN_NAMES).map(({ title, twin }) => [
      title,
      ...POLICIES.map((name) => {
        const point = fiveBudgetPoint(twin.splits, name, AT_10)
        if (typeof point === 'string') return `unfit: ${point}`
        const act = `${percent(point.act.mean)} (${percent(point.act.min)}-${percent(point.act.max)})`
        return point.accuracy === null
          ? act
          : `${act} / ${percent(point.accuracy.mean)} / ${decimal(point.budgetUsed.max)}`
      }),
    ])
    return `Act % (smallest and largest split) / Acc % / share of the budget used in the worst split.

${markdownTable(['twin', ...POLICIES], rows)}`
  },
}
