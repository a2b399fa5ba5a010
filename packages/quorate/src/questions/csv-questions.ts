import { FileError } from '../files/file-error.ts'
import type { QuestionColumns } from '../record/question.ts'
import { nearestName } from '../text/nearest-name.ts'
import { plainText } from '../text/plain-text.ts'
import { cellOf, columnsOf } from './csv-columns.ts'
import { type OptionColumns, type OptionLayout, optionLayout, optionsIn } from './csv-options.ts'
import { checkWidth, looseTable } from './csv-rows.ts'
import { namedField, type ReadPlace } from './read-question.ts'

/** The column of each field. A field without an entry is read from the column of its own name. */
export interface FieldColumns {
  readonly id?: string
  readonly question?: string
  readonly gold?: string
  readonly group?: string
}

/** The columns of all fields, those of the options included. */
export interface ColumnMap extends FieldColumns, OptionColumns {}

/** A question of a file before it is checked. */
export interface RawQuestion {
  /** The line where it begins, from 1. */
  readonly line: number
  /** The row as it was read, for a file of the rows that were left out. */
  readonly cells: readonly string[]
  /** The question in the shape of JSONL, still unchecked. Throws if the row cannot be read at all. */
  read(): { readonly value: object; readonly columns: QuestionColumns }
  /** File, line, column and field, for messages. */
  readonly place: ReadPlace
}

export interface RawQuestions {
  readonly header: readonly string[] | null
  readonly rows: AsyncIterable<RawQuestion>
}

export interface CsvFormat {
  readonly map: ColumnMap
  /** False: no column of options is looked up. */
  readonly hasOptions: boolean
  /** The configured column of the right answer. A file may lack it, because new questions have no label. */
  readonly usualGold?: string | undefined
}

/** Rows of a CSV file with a header. */
export async function csvQuestions(path: string, format: CsvFormat): Promise<RawQuestions> {
  const { header, rows } = await looseTable(path)
  if (header === null) return { header, rows: none() }
  refuseDuplicateTitles(header, path)
  return { header, rows: questionRows(rows, layoutOf(header, path, format)) }
}

async function* none(): AsyncGenerator<RawQuestion> {}

interface Layout {
  readonly name: string
  readonly titles: readonly string[]
  readonly fields: Readonly<Record<'id' | 'question' | 'gold' | 'group', number | null>>
  readonly options: OptionLayout | null
}

async function* questionRows(
  rows: Awaited<ReturnType<typeof looseTable>>['rows'],
  layout: Layout,
): AsyncGenerator<RawQuestion> {
  const { name, titles, fields, options } = layout
  for await (const row of rows) {
    const { line, cells } = row
    const at = `${name}: line ${line}`
    yield {
      line,
      cells,
      place(field, index = null) {
        const own = Object.hasOwn(fields, field) ? fields[field as keyof Layout['fields']] : null // an own key
        if (own !== null) return `${at}, column ${own + 1}: ${namedField(field, titles[own])}`
        return index === null ? `${at}: ${field}` : `${at}, column ${index + 1}: ${field}`
      },
      read() {
        checkWidth(row, titles.length, name)
        return {
          value: {
            id: cellOf(cells, fields.id),
            question: cellOf(cells, fields.question),
            gold: cellOf(cells, fields.gold),
            group: cellOf(cells, fields.group),
            ...(options === null ? {} : { options: optionsIn(cells, options, at) }),
          },
          columns: titles.map((title, index) => [title, cells[index] ?? ''] as const),
        }
      },
    }
  }
}

/** Columns of the same name could not be distinguished in a mapping or in the output. */
function refuseDuplicateTitles(header: readonly string[], path: string): void {
  const titles = header.map((title) => title.trim())
  const second = titles.findIndex((title, index) => titles.indexOf(title) < index)
  if (second < 0) return
  const title = titles[second] ?? ''
  throw new FileError(
    `${plainText(path)}: line 1, column ${second + 1}: every column must have a unique name, got ` +
      `${JSON.stringify(plainText(title))} again, which column ${titles.indexOf(title) + 1} has too. Rename one of them`,
  )
}

/**
 * The configured column if the file has it. A file without it has new questions, unless another column is probably the
 * one that was meant. `required` then reports which.
 */
function goldColumn(titles: readonly string[], map: ColumnMap, usualGold: string | undefined): string | undefined {
  if (usualGold === undefined || titles.includes(usualGold)) return usualGold
  const taken = new Set([map.id ?? 'id', map.question ?? 'question', map.group ?? 'group'])
  const free = titles.filter((title) => !taken.has(title))
  return free.includes('gold') || nearestName(usualGold, free) !== null ? usualGold : undefined
}

function layoutOf(header: readonly string[], path: string, { map, hasOptions, usualGold }: CsvFormat): Layout {
  const columns = columnsOf(header, path)
  const gold = map.gold ?? goldColumn(columns.titles, map, usualGold)
  return {
    name: plainText(path),
    titles: columns.titles,
    fields: {
      id: columns.required('id', map.id),
      question: columns.required('question', map.question),
      gold: columns.optional('gold', gold),
      group: columns.optional('group', map.group),
    },
    options: hasOptions ? optionLayout(columns, map) : null,
  }
}
