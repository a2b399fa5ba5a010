import { markdownTable } from '../../tables/markdown.ts'
import { LARGEST_BETA } from '../measure/budgets.ts'
import { meanOf } from '../measure/outcome.ts'
import { TWO_TWINS } from '../paper/epsilon-sensitivity.ts'
import { SUBGROUP_TABLE } from '../paper/subgroups.ts'
import type { MeasuredSplits } from '../tasks.ts'
import { compareDecimal, compareNumber, comparePercent } from './compare.ts'
import { measuredTwins, type Table } from './table.ts'

export interface SubgroupPoint {
  readonly group: string
  readonly size: number
  /** Mean of multiplier times training error, whether or not it is a budget. */
  readonly asked: number | null
  /** Splits on which it was not a budget: 0, or above .99. */
  readonly infeasible: number
  readonly splits: number
  /** Figures over the splits with a budget; null without one. */
  readonly act: number | null
  readonly accuracy: number | null
  readonly budgetUsed: number | null
}

export const subgroupTable: Table = {
  number: 17,
  name: 'subgroups',
  title: 'Subgroups under the pooled multiplier',
  text(measured) {
    const rows = measuredTwins(measured, TWO_TWINS).flatMap(({ name, title, twin }) => {
      const points = subgroupPoints(twin)
      return SUBGROUP_TABLE[name].map((printed) => {
        const point = points.find(({ group }) => group === printed.group)
        const isNone = printed.beta > LARGEST_BETA
        return [
          title,
          printed.group,
          compareNumber(printed.size, point?.size, 0),
          compareDecimal(printed.beta, point?.asked),
          comparePercent(printed.act, point?.act),
          comparePercent(printed.accuracy, point?.accuracy),
          compareDecimal(printed.budgetUsed, point?.budgetUsed, 3),
          [isNone ? 'the paper’s is not a budget: infeasible' : '', noteOf(point)].filter(Boolean).join('; '),
        ]
      })
    })
    return `beta is the twin's pooled multiplier times the group's own final-round error in training; the certificate is that of all groups together.
A product of 0 or above .99 is not a budget: such splits are left out and counted in the note.

${markdownTable(['twin', 'subgroup', 'n', 'beta', 'Act %', 'Acc %', 'WA / beta', 'note'], rows)}`
  },
}

function noteOf(point: SubgroupPoint | undefined): string {
  if (point === undefined || point.infeasible === 0) return ''
  return `no budget in ${point.infeasible} of ${point.splits} splits`
}

export function subgroupPoints({ splits }: MeasuredSplits): SubgroupPoint[] {
  const groups = [...new Set(splits.flatMap(({ subgroups }) => subgroups.map(({ group }) => group)))]
  return groups.map((group) => {
    const cells = splits.flatMap(({ subgroups }) => subgroups.filter((cell) => cell.group === group))
    const asked = cells.flatMap((cell) => cell.asked ?? [])
    const ran = cells.flatMap((cell) => (cell.tally && cell.asked ? [{ ...cell.tally, beta: cell.asked }] : []))
    const acting = ran.filter(({ acted }) => acted > 0)
    const meanOrNull = (values: readonly number[]) => (values.length === 0 ? null : meanOf(values))
    return {
      group,
      size: cells[0]!.size,
      asked: meanOrNull(asked),
      infeasible: cells.length - ran.length,
      splits: cells.length,
      act: meanOrNull(ran.map(({ acted, debates }) => acted / debates)),
      accuracy: meanOrNull(acting.map(({ right, acted }) => right / acted)),
      budgetUsed: meanOrNull(ran.map(({ acted, right, debates, beta }) => (acted - right) / debates / beta)),
    }
  })
}
