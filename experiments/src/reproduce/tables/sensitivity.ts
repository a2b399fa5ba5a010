import { decimal, markdownTable } from '../../tables/markdown.ts'
import type { Point } from '../measure/outcome.ts'
import { DELTAS, EPSILONS } from '../measure/paper-cells.ts'
import { BUDGET_SPLIT, SPLIT_DELTAS, SPLIT_EPSILONS } from '../paper/budget-split.ts'
import { EPSILON_TABLE, EPSILONS as PRINTED_EPSILONS, TWO_TWINS } from '../paper/epsilon-sensitivity.ts'
import type { MeasuredSplits } from '../tasks.ts'
import { compareDecimal, comparePercent } from './compare.ts'
import { measuredTwins, pointIn, type Table } from './table.ts'

/** The paper's method at beta = .15 under other shares. */
export function sharesPoint(twin: MeasuredSplits, delta: number, epsilon: number): Point {
  const row = DELTAS.indexOf(delta)
  const column = EPSILONS.indexOf(epsilon)
  return pointIn(twin, ({ paper }) => paper.shares[row]?.[column])
}

export const epsilonTable: Table = {
  number: 14,
  name: 'epsilon',
  title: 'Sensitivity to epsilon (beta = .15, delta = .03)',
  text(measured) {
    const rows = measuredTwins(measured, TWO_TWINS).flatMap(({ name, title, twin }) =>
      PRINTED_EPSILONS.map((epsilon, at) => {
        const [wrong, act, accuracy] = EPSILON_TABLE[name][at]!
        const point = sharesPoint(twin, 0.03, epsilon)
        return [
          title,
          decimal(epsilon),
          decimal(0.88 + epsilon),
          comparePercent(wrong, point.wrong.mean),
          comparePercent(act, point.act.mean),
          comparePercent(accuracy, point.accuracy?.mean),
        ]
      }),
    )
    return markdownTable(['twin', 'epsilon', '1 - alpha', 'WA %', 'Act %', 'Acc %'], rows)
  },
}

export const budgetSplitTable: Table = {
  number: 15,
  name: 'budget-split',
  title: 'Shares of the budget (beta = .15)',
  text(measured) {
    const rows = measuredTwins(measured, TWO_TWINS).flatMap(({ name, title, twin }) =>
      SPLIT_DELTAS.flatMap((delta, row) =>
        SPLIT_EPSILONS.map((epsilon, column) => {
          const [act, accuracy, wrong, budgetUsed] = BUDGET_SPLIT[name][row]![column]!
          const point = sharesPoint(twin, delta, epsilon)
          return [
            title,
            decimal(delta),
            decimal(epsilon),
            comparePercent(act, point.act.mean),
            comparePercent(accuracy, point.accuracy?.mean),
            comparePercent(wrong, point.wrong.mean, 2),
            compareDecimal(budgetUsed, point.budgetUsed.mean),
          ]
        }),
      ),
    )
    return markdownTable(['twin', 'delta', 'epsilon', 'Act %', 'Acc %', 'WA %', 'WA / beta'], rows)
  },
}
