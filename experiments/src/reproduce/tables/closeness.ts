import { markdownTable } from '../../tables/markdown.ts'
import type { Measurements } from '../tasks.ts'
import type { Table } from './table.ts'

/**
 * How far the first twins were from the paper: the mean over the cells of a table, by its number. Their panels had no
 * tone, and each was drawn once. Tables 1, 2, 12 and 17 contain targets of the fit and are no evidence.
 */
const FIRST_TWINS: ReadonlyMap<number, number> = new Map([
  [3, 3.841],
  [4, 14.025],
  [6, 5.599],
  [7, 4.545],
  [8, 5.485],
  [9, 4.045],
  [10, 3.681],
  [11, 0.068],
  [13, 0.009],
  [14, 3.485],
  [15, 1.982],
  [16, 7.294],
  [19, 7.698],
  [20, 0.438],
  [21, 2.653],
  [22, 0.061],
  [23, 0.126],
])

/** Reports which of the tables that were not fitted came closer to the paper with the present twins. */
export function closenessText(tables: readonly Table[], measured: Measurements): string {
  const rows = tables.flatMap((table) => {
    const before = table.number === null ? undefined : FIRST_TWINS.get(table.number)
    const now = meanDistance(table.text(measured))
    return before === undefined || now === null ? [] : [{ table, before, now }]
  })
  const closer = rows.filter(({ before, now }) => now < before).length
  const cells = rows.map(({ table, before, now }) => [
    `Table ${table.number}: ${table.title}`,
    before.toFixed(3),
    now.toFixed(3),
    now < before ? 'closer' : 'not closer',
  ])
  return `### Tables that were not fitted

Of ${rows.length} tables without a target of the fit ${closer} came closer to the paper with panels that have a tone, and ${rows.length - closer} did not. Distance: the mean over
the cells of a table that have both numbers, in the units of the table.

${markdownTable(['table', 'first twins', 'these twins', ''], cells)}`
}

const COMPARED = /(-?\d*\.?\d+) \/ (-?\d*\.?\d+) \([+-]?\d*\.?\d+\)/g

/** Mean distance over the cells `paper / ours (gap)` of a text; null if it has none. */
export function meanDistance(text: string): number | null {
  const distances = [...text.matchAll(COMPARED)].map(([, printed, ours]) => Math.abs(Number(ours) - Number(printed)))
  return distances.length === 0 ? null : distances.reduce((sum, distance) => sum + distance, 0) / distances.length
}
