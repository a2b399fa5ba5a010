import type { PolicyName } from '@quorate/certificate'
import { decimal, markdownTable, percent } from '../../tables/markdown.ts'
import { FIVE_BUDGETS } from '../measure/budgets.ts'
import { type Point, pointOf } from '../measure/outcome.ts'
import type { PolicyCells } from '../measure/policy-cells.ts'
import { RECORDED_FILES } from '../measure/worlds.ts'
import type { RecordedMeasurements } from '../tasks.ts'
import type { Table } from './table.ts'

/** Every policy at five budgets, on the recorded files on which all policies are run. */
export const recordedTable: Table = {
  number: null,
  name: 'recorded',
  title: 'All policies on recorded debates',
  text({ recorded }) {
    if (recorded.length === 0)
      return 'There are no recorded debates on this machine: set QUORATE_DATA to the folder that holds them.'
    return `Act % / Acc % / mean share of the budget used (share in the worst split). *No evidence*: the policy never acted. beta = .05 is with delta = .01 and
epsilon = .01, the others with .03 and .02; cells use no epsilon, and total has a delta of its own, .05. Files read as in \`experiments/src/data\`: the many-model files as growing panels.
${recorded
  .filter(({ name }) => RECORDED_FILES.includes(name))
  .map(fileText)
  .join('\n')}`
  },
}

function fileText(file: RecordedMeasurements): string {
  const [first] = file.splits
  const rows = first!.policies.map(({ name }) => [name, ...FIVE_BUDGETS.map((_, place) => cellText(file, name, place))])
  const header = ['policy', ...FIVE_BUDGETS.map(({ beta }) => `beta ${decimal(beta)}`)]
  return `\n### \`${file.name}\`: ${first!.debates} debates, ${first!.rounds} round${first!.rounds === 1 ? '' : 's'}\n\n${markdownTable(header, rows)}`
}

function cellText(file: RecordedMeasurements, name: PolicyName, place: number): string {
  const point = fiveBudgetPoint(file.splits, name, place)
  if (typeof point === 'string') return `unfit: ${point}`
  if (point.accuracy === null) return 'no evidence'
  return `${percent(point.act.mean)} / ${percent(point.accuracy.mean)} / ${decimal(point.budgetUsed.mean)} (${decimal(point.budgetUsed.max)})`
}

/** The figures over splits, or the reason if the policy could not be fitted in one of them. */
export function fiveBudgetPoint(
  splits: readonly { readonly rounds: number; readonly policies: readonly PolicyCells[] }[],
  name: PolicyName,
  place: number,
): Point | string {
  const ran = splits.map(({ policies }) => policies.find((policy) => policy.name === name)!)
  const unfit = ran.find((policy) => policy.kind === 'unfit')
  if (unfit?.kind === 'unfit') return unfit.reason
  return pointOf(
    ran.map((policy) => (policy.kind === 'ran' ? policy.five[place]! : null)),
    splits[0]!.rounds,
  )
}
