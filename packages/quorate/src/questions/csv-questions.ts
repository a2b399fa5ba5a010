import { plainText } from '../text/plain-text.ts'
import { cellOf, columnsOf } from './csv-columns.ts'
import { type OptionColumns, type OptionLayout, optionLayout, optionsIn } from './csv-options.ts'
import { type CsvRow, csvTable } from './csv-rows.ts'

/** Which column holds which field. Fields without an entry are read from the column of their own name. */
export interface ColumnMap extends OptionColumns {
  readonly id?: string
  readonly question?: string
  readonly gold?: string
  readonly group?: string
}

/** Rows of a CSV file with a header as values in the shape of JSONL questions, still unchecked. */
export async function* csvQuestions(
  path: string,
  map: ColumnMap = {},
): AsyncGenerator<{ readonly line: number; readonly value: unknown }> {
  const { header, rows } = await csvTable(path)
  if (header === null) return
  const layout = layoutOf(header, map, path)
  for await (const row of rows) {
    yield { line: row.line, value: questionValue(row, layout, `${plainText(path)}: line ${row.line}`) }
  }
}

interface Layout {
  readonly id: number
  readonly question: number
  readonly gold: number | null
  readonly group: number | null
  readonly options: OptionLayout
}

function layoutOf(header: readonly string[], map: ColumnMap, path: string): Layout {
  const columns = columnsOf(header, path)
  return {
    id: columns.required('id', map.id),
    question: columns.required('question', map.question),
    gold: columns.optional('gold', map.gold),
    group: columns.optional('group', map.group),
    options: optionLayout(columns, map),
  }
}

function questionValue({ cells }: CsvRow, layout: Layout, place: string): unknown {
  return {
    id: cellOf(cells, layout.id),
    question: cellOf(cells, layout.question),
    gold: cellOf(cells, layout.gold),
    group: cellOf(cells, layout.group),
    options: optionsIn(cells, layout.options, place),
  }
}
