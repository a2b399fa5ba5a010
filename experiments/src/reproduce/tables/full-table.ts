import { markdownTable } from '../../tables/markdown.ts'
import { FIVE_BUDGETS } from '../measure/budgets.ts'
import type { Point } from '../measure/outcome.ts'
import { FULL_TABLE, FULL_TABLE_TWINS } from '../paper/full-table.ts'
import { PRINTED_NAMES, PRINTED_POLICIES, type PrintedPolicy } from '../paper/printed.ts'
import type { MeasuredSplits } from '../tasks.ts'
import { comparePercent } from './compare.ts'
import { measuredTwins, pointIn, type Table } from './table.ts'

const AT_15 = FIVE_BUDGETS.findIndex(({ beta }) => beta === 0.15)

export const fullTable: Table = {
  number: 6,
  name: 'full',
  title: 'All policies at beta = .15',
  text: (measured) =>
    measuredTwins(measured, FULL_TABLE_TWINS)
      .map(({ name, title, twin }) => {
        const rows = PRINTED_POLICIES.map((policy) => {
          const [act, accuracy, wrong] = FULL_TABLE[policy][name]
          const point = fixedPoint(twin, policy, AT_15)
          return [
            PRINTED_NAMES[policy],
            comparePercent(act, point?.act.mean),
            comparePercent(accuracy, point?.accuracy?.mean),
            comparePercent(wrong, point?.wrong.mean),
          ]
        })
        return `\n### ${title}\n\n${markdownTable(['rule', 'Act %', 'Acc %', 'WA %'], rows)}`
      })
      .join('\n'),
}

/** A policy at one of the five budgets; null if it could not be fitted. */
export function fixedPoint(twin: MeasuredSplits, name: PrintedPolicy | 'cells' | 'tight', place: number): Point | null {
  const splits = twin.splits.filter(({ policies }) => policies.some((ran) => ran.name === name && ran.kind === 'ran'))
  if (splits.length === 0) return null
  return pointIn({ ...twin, splits }, ({ policies }) => {
    const found = policies.find((ran) => ran.name === name)
    return found?.kind === 'ran' ? found.five[place] : null
  })
}
