import { decimal, markdownTable } from '../../tables/markdown.ts'
import { TWIN_NAMES } from '../../twins/targets.ts'
import type { Point } from '../measure/outcome.ts'
import { ABSOLUTE_BETAS } from '../measure/paper-cells.ts'
import { ALIGNMENT_BUDGETS, BUDGET_ALIGNMENT } from '../paper/budget-alignment.ts'
import { FIXED_BUDGET_TABLE, FIXED_BUDGETS } from '../paper/fixed-budget.ts'
import { FULL_TABLE_TWINS } from '../paper/full-table.ts'
import type { MeasuredSplits } from '../tasks.ts'
import { compareNumber, comparePercent } from './compare.ts'
import { measuredTwins, pointIn, type Table } from './table.ts'

/** The paper's method at one of the absolute budgets. */
export function absolutePoint(twin: MeasuredSplits, beta: number): Point {
  const place = ABSOLUTE_BETAS.indexOf(beta)
  return pointIn(twin, ({ paper }) => paper.absolute[place])
}

export const alignmentTable: Table = {
  number: 8,
  name: 'budget-alignment',
  title: 'Budget alignment',
  text(measured) {
    const twins = measuredTwins(measured, FULL_TABLE_TWINS)
    const rows = ALIGNMENT_BUDGETS.map((beta, at) => [
      decimal(beta),
      ...twins.flatMap(({ name, twin }) => {
        const [wrong, act] = BUDGET_ALIGNMENT[name][at]!
        const point = absolutePoint(twin, beta)
        return [comparePercent(wrong, point.wrong.mean), comparePercent(act, point.act.mean)]
      }),
    ])
    return markdownTable(['beta', ...twins.flatMap(({ title }) => [`${title} WA %`, `${title} Act %`])], rows)
  },
}

export const fixedBudgetTable: Table = {
  number: 10,
  name: 'fixed-budget',
  title: 'The same budget for all',
  text(measured) {
    const rows = measuredTwins(measured, TWIN_NAMES).flatMap(({ name, title, twin }) =>
      FIXED_BUDGETS.map((beta, at) => {
        const [act, accuracy, wrong, rounds] = FIXED_BUDGET_TABLE[name][at] ?? [0, null, 0, null]
        const point = absolutePoint(twin, beta)
        return [
          title,
          decimal(beta),
          comparePercent(act, point.act.mean),
          comparePercent(accuracy, point.accuracy?.mean),
          comparePercent(wrong, point.wrong.mean),
          compareNumber(rounds, point.acting === 0 ? null : point.rounds),
        ]
      }),
    )
    return markdownTable(['twin', 'beta', 'Act %', 'Acc %', 'WA %', 'Rnd'], rows)
  },
}
