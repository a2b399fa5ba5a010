import { markdownTable } from '../../tables/markdown.ts'
import { TWIN_NAMES } from '../../twins/targets.ts'
import { ACCEPTED_GAP, type TwinRow } from '../../twins/twin-table.ts'
import { compareNumber, comparePercent } from './compare.ts'
import { measuredTwins, type Table } from './table.ts'

/** The aggregates that the twins were fitted to, on the same debates that everything here was measured on. */
export const aggregatesTable: Table = {
  number: null,
  name: 'twins',
  title: 'Twins against the published aggregates',
  text(measured) {
    const all = measuredTwins(measured, TWIN_NAMES).flatMap(({ twin }) => twin.aggregates)
    const targets = all.filter(({ isTarget }) => isTarget)
    const beyond = targets.filter(isBeyond)
    const rows = all.map((row) => [row.title, row.quantity, compared(row), noteOf(row)])
    return `${targets.length - beyond.length} of ${targets.length} targets are met within 2 points or .3 rounds in the mean over the draws that everything here is measured on; a
subgroup of 250 questions has a sampling error of its own of up to 3 points a draw.

Where a twin is known to be unlike recorded debates: ten parameters meet seven aggregates, so the aggregates do not fix how
often a split panel is right. The structure of the model (not its parameters) was chosen with an eye on the
paper's printed accuracies, so that agreement with them is no independent evidence.

${markdownTable(['twin', 'quantity', 'published / twin (gap)', 'note'], rows)}`
  },
}

function compared({ unit, published, fitted }: TwinRow): string {
  return unit === 'share' ? comparePercent(100 * published, fitted) : compareNumber(published, fitted, 2)
}

function isBeyond({ gap, unit }: TwinRow): boolean {
  return Math.abs(gap) > ACCEPTED_GAP[unit]
}

function noteOf(row: TwinRow): string {
  if (!row.isTarget) return 'not a target'
  return isBeyond(row) ? 'beyond' : ''
}
