import { FileError } from '../files/file-error.ts'
import { plainText } from '../report/plain-text.ts'
import { type CsvRow, csvRows } from './csv-rows.ts'
import { refusal } from './read-question.ts'

/** Which column holds which field. Fields without an entry are read from the column of their own name. */
export interface ColumnMap {
  readonly id?: string
  readonly question?: string
  readonly gold?: string
  readonly group?: string
  /**
   * One column that holds all options: a JSON array or object, else names between separators. Or several columns, name
   * of the option to column: each cell is the option's text, a blank cell says that this question lacks the option.
   */
  readonly options?: string | ReadonlyMap<string, string>
  /** Between the names in one column; default `|`. */
  readonly separator?: string
}

/** Rows of a CSV file with a header as values in the shape of JSONL questions, still unchecked. */
export async function* csvQuestions(
  path: string,
  map: ColumnMap = {},
): AsyncGenerator<{ readonly line: number; readonly value: unknown }> {
  const name = plainText(path)
  let layout: Layout | undefined
  for await (const row of csvRows(path)) {
    if (layout === undefined) {
      layout = layoutOf(row.cells, map, name)
      continue
    }
    const place = `${name}: line ${row.line}`
    if (row.cells.length !== layout.width) {
      throw refusal(`${place}: the row`, `of ${layout.width} cells like the header`, row.cells)
    }
    yield { line: row.line, value: questionValue(row, layout, place) }
  }
}

/** Prefix of columns and of mapped fields that hold the text of one option: `options.A`. */
export const OPTION_PREFIX = 'options.'

interface Layout {
  readonly width: number
  readonly id: number
  readonly question: number
  readonly gold: number | null
  readonly group: number | null
  readonly options:
    | { readonly kind: 'one'; readonly column: number; readonly separator: string }
    | { readonly kind: 'several'; readonly columns: readonly (readonly [string, number])[] }
}

function layoutOf(header: readonly string[], map: ColumnMap, name: string): Layout {
  const titles = header.map((title) => title.trim())
  const required = (column: string, field: string): number => {
    const index = titles.indexOf(column)
    if (index >= 0 && index === titles.lastIndexOf(column)) return index
    const expected = index < 0 ? 'a column of the header' : 'in one column only'
    const has = titles.slice(0, 20).map((title) => JSON.stringify(plainText(title)))
    throw new FileError(
      `${name}: line 1: the column of ${field} must be ${expected}, got ${JSON.stringify(plainText(column))}; ` +
        `the header has ${has.join(', ')}; say which with --map ${field}=COLUMN`,
    )
  }
  const optional = (column: string | undefined, field: string): number | null =>
    column !== undefined || titles.includes(field) ? required(column ?? field, field) : null
  return {
    width: header.length,
    id: required(map.id ?? 'id', 'id'),
    question: required(map.question ?? 'question', 'question'),
    gold: optional(map.gold, 'gold'),
    group: optional(map.group, 'group'),
    options: optionsLayout(titles, map, required),
  }
}

function optionsLayout(
  titles: readonly string[],
  { options, separator = '|' }: ColumnMap,
  required: (column: string, field: string) => number,
): Layout['options'] {
  const own = titles.filter((title) => title.startsWith(OPTION_PREFIX) && title.length > OPTION_PREFIX.length)
  const isOwn = options === undefined && !titles.includes('options') && own.length > 0
  const named = isOwn ? new Map(own.map((title) => [title.slice(OPTION_PREFIX.length), title])) : (options ?? 'options')
  if (typeof named === 'string') return { kind: 'one', column: required(named, 'options'), separator }
  const columns = [...named].map(([name, column]) => [name, required(column, OPTION_PREFIX + name)] as const)
  return { kind: 'several', columns }
}

function questionValue({ cells }: CsvRow, layout: Layout, place: string): unknown {
  const cell = (column: number | null): string | null => (column === null ? null : (cells[column] ?? '').trim() || null)
  return {
    id: cell(layout.id),
    question: cell(layout.question),
    gold: cell(layout.gold),
    group: cell(layout.group),
    options:
      layout.options.kind === 'one'
        ? optionsInCell(cell(layout.options.column) ?? '', layout.options.separator, place)
        : optionsInColumns(layout.options.columns, cell),
  }
}

function optionsInCell(cell: string, separator: string, place: string): unknown {
  if (!cell.startsWith('[') && !cell.startsWith('{')) return cell.split(separator).map((name) => name.trim())
  try {
    return JSON.parse(cell)
  } catch (cause) {
    const shown = JSON.stringify(plainText(cell).slice(0, 60))
    throw new FileError(`${place}: options must be JSON where they begin with [ or {, got ${shown}`, { cause })
  }
}

function optionsInColumns(
  columns: readonly (readonly [string, number])[],
  cell: (column: number) => string | null,
): Readonly<Record<string, string>> {
  const texts: Record<string, string> = Object.create(null)
  for (const [name, column] of columns) {
    const text = cell(column)
    if (text !== null) texts[name] = text
  }
  return texts
}
