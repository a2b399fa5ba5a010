import { decimal, markdownTable } from '../../tables/markdown.ts'
import { type Cell, ratesOf, type Spread } from '../measure/outcome.ts'
import { ACTIVATED } from '../paper/activated.ts'
import { SPLIT_SAFETY } from '../paper/split-safety.ts'
import { type MeanWithError, VARIABILITY } from '../paper/variability.ts'
import type { MeasuredSplits } from '../tasks.ts'
import { compareDecimal, comparePercent } from './compare.ts'
import { rulePoint } from './lambda.ts'
import { measuredTwins, type Table } from './table.ts'

export const variabilityTable: Table = {
  number: 21,
  name: 'variability',
  title: 'Split-wise variability under the pooled multiplier',
  text(measured) {
    const rows = measuredTwins(measured, ACTIVATED).map(({ name, title, twin }) => {
      const printed = VARIABILITY[name]
      const point = rulePoint(twin, 'pooled')
      return [
        title,
        percentWithError(printed.act, point.act, 1),
        percentWithError(printed.accuracy, point.accuracy, 1),
        percentWithError(printed.wrong, point.wrong, 2),
        decimalWithError(printed.budgetUsed, point.budgetUsed),
      ]
    })
    return `What the paper calls a standard error, the standard deviation over splits divided by the root of their number, is printed beside its own.
It is no sampling error: ten halves of one file overlap.

${markdownTable(['twin', 'Act %', 'Acc %', 'WA %', 'WA / beta'], rows)}`
  },
}

function percentWithError([mean, error]: MeanWithError, ours: Spread | null, digits: number): string {
  return `${comparePercent(mean, ours?.mean, digits)}, +- ${comparePercent(error, ours?.error, digits)}`
}

function decimalWithError([mean, error]: MeanWithError, ours: Spread): string {
  return `${compareDecimal(mean, ours.mean, 3)}, +- ${compareDecimal(error, ours.error, 3)}`
}

export const splitSafetyTable: Table = {
  number: 22,
  name: 'split-safety',
  title: 'Budget used, split by split',
  text(measured) {
    const rows = measuredTwins(measured, ACTIVATED).map(({ name, title, twin }) => {
      const printed = SPLIT_SAFETY[name]
      const used = usedBySplit(twin)
      const within = (limit: number) => `${used.filter((share) => share <= limit).length}/${used.length}`
      return [
        title,
        compareDecimal(printed.worst, used.length === 0 ? null : Math.max(...used), 3),
        `${printed.within15}/10 / ${within(0.15)}`,
        `${printed.within20}/10 / ${within(0.2)}`,
        `${printed.withinBudget}/10 / ${within(1)}`,
        decimal(rulePoint(twin, 'pooled').act.min * 100, 1),
      ]
    })
    return markdownTable(
      ['twin', 'worst WA / beta', 'at most .15', 'at most .20', 'at most 1', 'our smallest Act %'],
      rows,
    )
  },
}

/** WA / beta of each split under the pooled multiplier. */
export function usedBySplit({ splits }: MeasuredSplits): number[] {
  const pooled = splits.flatMap(({ paper }): Cell[] => (paper.operating.pooled ? [paper.operating.pooled] : []))
  return pooled.map((cell) => ratesOf(cell, splits[0]!.rounds).budgetUsed)
}
