import { pipeline, Readable } from 'node:stream'
import { CsvError, type Options, parse } from 'csv-parse'
import { FileError, refusal } from '../files/file-error.ts'
import { plainText } from '../text/plain-text.ts'
import { beginsWithMark, textChunks } from './text-chunks.ts'

export interface CsvRow {
  /** The line where the row begins, from 1. A quoted cell may contain line ends. */
  readonly line: number
  readonly cells: readonly string[]
}

/** In bytes. A quote that is never closed must not load a large file into memory. */
const LONGEST_ROW = 16 * 2 ** 20

/** The delimiters that are recognised. Spreadsheets write semicolons in countries with a decimal comma. */
const DELIMITERS = [',', ';', '\t'] as const

const DELIMITER_NAMES = Object.freeze({ ',': 'comma', ';': 'semicolon', '\t': 'tab' })

type Delimiter = (typeof DELIMITERS)[number]

/** RFC 4180. `csvTable` compares the widths with the header, because its error names the line. */
const FORMAT: Options = {
  info: true,
  raw: true,
  relax_column_count: true,
  record_delimiter: ['\r\n', '\n'],
  max_record_size: LONGEST_ROW,
}

/** A record as csv-parse returns it with the options above. */
interface ParsedRow {
  readonly record: readonly string[]
  /** The text of the row with its line end, of which \r\n is cut to \r. */
  readonly raw: string
}

/**
 * Reads the rows of a CSV file after RFC 4180: cells may be in double quotes, with "" for one quote, and rows end in \r\n or
 * \n. The delimiter is the one that the header has most of: commas, semicolons or tabs. Blank lines are left out.
 */
export async function* csvRows(path: string): AsyncGenerator<CsvRow> {
  const chunks = textChunks(path)
  const { text, header } = await beginning(chunks)
  const delimiter = delimiterOf(header)
  const parser = parse({ ...FORMAT, delimiter })
  // The loop below throws the errors of the source and of the parser.
  pipeline(Readable.from(joined(text, chunks)), parser, () => {})
  let line = 1
  try {
    for await (const row of parser) {
      const { record, raw }: ParsedRow = row
      if (raw.trim() !== '') yield { line, cells: record }
      line += raw.split('\n').length - 1 + (raw.endsWith('\r') ? 1 : 0)
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new FileError(`${plainText(path)}: ${problemOf(error, { line, delimiter })}`, { cause: error })
  }
}

/** `line`: where the unreadable row begins. */
function problemOf(
  error: CsvError,
  { line, delimiter }: { readonly line: number; readonly delimiter: Delimiter },
): string {
  const column = `column ${(typeof error['column'] === 'number' ? error['column'] : 0) + 1}`
  const at = `line ${typeof error['lines'] === 'number' ? error['lines'] : line}, ${column}`
  // as: the package's type lacks this code
  if ((error.code as string) === 'INVALID_OPENING_QUOTE') {
    return `${at}: expected a cell that contains a " to be in quotes, with "" for the ", got a " inside a cell without quotes`
  }
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return `line ${line}, ${column}: expected a closing ", got the end of the file`
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return `line ${line}, ${column}: expected a row of at most ${LONGEST_ROW} bytes, got more: is a closing " missing?`
  }
  if (error.code === 'CSV_INVALID_CLOSING_QUOTE') {
    const got = JSON.stringify(plainText(/got "(.+)" at line/su.exec(error.message)?.[1] ?? ''))
    return `${at}: expected a ${DELIMITER_NAMES[delimiter]} or the end of the row after ", got ${got}`
  }
  return `${at}: expected CSV as RFC 4180 has it, got ${plainText(error.message)}`
}

export interface CsvTable {
  /** Null for an empty file. */
  readonly header: readonly string[] | null
  readonly rows: AsyncIterable<CsvRow>
}

/** The header of a CSV file and the rows after it, all as wide as the header. */
export async function csvTable(path: string): Promise<CsvTable> {
  const { header, rows } = await looseTable(path)
  return { header, rows: asWide(rows, header?.length ?? 0, plainText(path)) }
}

/** Like `csvTable`, with rows of any width. The caller checks each row with `checkWidth`. */
export async function looseTable(path: string): Promise<CsvTable> {
  const rows = csvRows(path)
  const first = await rows.next()
  return { header: first.done === true ? null : first.value.cells, rows }
}

async function* asWide(rows: AsyncIterable<CsvRow>, width: number, name: string): AsyncGenerator<CsvRow> {
  for await (const row of rows) {
    checkWidth(row, width, name)
    yield row
  }
}

/** Throws if a row is not as wide as the header. `name` is the name of the file. */
export function checkWidth({ line, cells }: CsvRow, width: number, name: string): void {
  if (cells.length !== width) {
    const column = Math.min(cells.length, width) + 1
    throw refusal(`${name}: line ${line}, column ${column}: the row`, `of ${width} cells like the header`, cells)
  }
}

/** How a CSV file is written, so that another can be written in the same way. */
export interface CsvStyle {
  readonly delimiter: string
  /** Whether it begins with a byte order mark, as spreadsheets write it. */
  readonly hasMark: boolean
}

export async function csvStyle(path: string): Promise<CsvStyle> {
  const { header } = await beginning(textChunks(path))
  return { delimiter: delimiterOf(header), hasMark: await beginsWithMark(path) }
}

/** Longer than any header. What follows the header says nothing about the delimiter. */
const LONGEST_HEADER = 64 * 1024

/** The text up to the end of the header or further, and the part of the header that is outside of quotes. */
async function beginning(chunks: AsyncIterator<string>): Promise<{ readonly text: string; readonly header: string }> {
  let text = ''
  for (;;) {
    const { header, isEnded } = headerOf(text)
    if (isEnded || text.length >= LONGEST_HEADER) return { text, header }
    const next = await chunks.next()
    if (next.done === true) return { text, header }
    text += next.value
  }
}

async function* joined(text: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  // An empty chunk would end the stream.
  if (text !== '') yield text
  yield* rest
}

/** The first line that is not blank. */
function headerOf(text: string): { readonly header: string; readonly isEnded: boolean } {
  const bare = text.replace(/^(?:[ \r]*\n)+/, '').replace(/"[^"]*"/g, '')
  const end = bare.indexOf('\n')
  return { header: end < 0 ? bare : bare.slice(0, end), isEnded: end >= 0 && !bare.slice(0, end).includes('"') }
}

/** The most frequent delimiter; in a tie the first of DELIMITERS. */
function delimiterOf(header: string): Delimiter {
  const counted = DELIMITERS.map((delimiter) => ({ delimiter, count: header.split(delimiter).length }))
  return counted.reduce((most, one) => (one.count > most.count ? one : most)).delimiter
}
