import { decimal, markdownTable } from '../../tables/markdown.ts'
import { ACTIVATED } from '../paper/activated.ts'
import { FRONTIER, frontierBudgets, MULTIPLES } from '../paper/frontier.ts'
import { compareDecimal, comparePercent } from './compare.ts'
import { measuredTwins, pointIn, type Table } from './table.ts'

export const frontierTable: Table = {
  number: 7,
  name: 'frontier',
  title: 'Risk-automation frontier',
  text(measured) {
    const rows = measuredTwins(measured, ACTIVATED).flatMap(({ name, title, twin }) =>
      MULTIPLES.map((multiple, at) => {
        const [act, accuracy, wrong, budgetUsed] = FRONTIER[name][at] ?? [null, null, null, null]
        const point = pointIn(twin, ({ paper }) => paper.multiples[at])
        return [
          title,
          multiple.toFixed(1),
          decimal(frontierBudgets(name)[at]!, 3),
          comparePercent(act, point.act.mean),
          comparePercent(accuracy, point.accuracy?.mean),
          comparePercent(wrong, point.wrong.mean),
          compareDecimal(budgetUsed, point.budgetUsed.mean),
        ]
      }),
    )
    return `beta is the multiple of the printed final-round error; ARC's rows from 2.0 on are at beta = .20, .25 and .30, as in the paper.

${markdownTable(['twin', 'beta / e_T', 'beta', 'Act %', 'Acc %', 'WA %', 'WA / beta'], rows)}`
  },
}
