import { FileError } from '../files/file-error.ts'
import { plainText } from '../text/plain-text.ts'
import { refusal } from './read-question.ts'
import { textChunks } from './text-chunks.ts'

export interface CsvRow {
  /** Where the row begins, from 1: a quoted cell may hold line ends. */
  readonly line: number
  readonly cells: readonly string[]
}

const LONGEST_CELL = 16 * 2 ** 20

/** What may stand between cells. Spreadsheets write semicolons where the decimal point is a comma. */
const DELIMITERS = [',', ';', '\t'] as const

const DELIMITER_NAMES = Object.freeze({ ',': 'comma', ';': 'semicolon', '\t': 'tab' })

type Delimiter = (typeof DELIMITERS)[number]

/**
 * Rows of a CSV file as RFC 4180 has it: cells in double quotes with "" for one, rows that end in \r\n or \n. Between
 * cells stands what the header has most of: commas, semicolons or tabs. Blank lines are left out. A quote inside an
 * unquoted cell stands for itself, as spreadsheets read it.
 */
export async function* csvRows(path: string): AsyncGenerator<CsvRow> {
  const name = plainText(path)
  const reading: Reading = { delimiter: ',', state: 'empty', cell: '', cells: [], line: 1, rowLine: 1, quoteLine: 1 }
  for await (const { text, header } of withHeader(textChunks(path))) {
    if (header !== null) reading.delimiter = delimiterOf(header)
    for (const character of text) {
      const row = take(reading, character, name)
      if (row !== null) yield row
    }
  }
  if (reading.state === 'quoted') {
    throw new FileError(`${name}: line ${reading.quoteLine}: expected a closing ", got the end of the file`)
  }
  const last = endRow(reading)
  if (last !== null) yield last
}

/** The header of a CSV file, null for an empty one, and the rows after it, all as wide as the header. */
export async function csvTable(
  path: string,
): Promise<{ readonly header: readonly string[] | null; readonly rows: AsyncIterable<CsvRow> }> {
  const rows = csvRows(path)
  const first = await rows.next()
  const header = first.done === true ? null : first.value.cells
  return { header, rows: asWide(rows, header?.length ?? 0, plainText(path)) }
}

async function* asWide(rows: AsyncIterable<CsvRow>, width: number, name: string): AsyncGenerator<CsvRow> {
  for await (const row of rows) {
    if (row.cells.length !== width) {
      throw refusal(`${name}: line ${row.line}: the row`, `of ${width} cells like the header`, row.cells)
    }
    yield row
  }
}

/** More than any header: what comes after it says nothing about the delimiter. */
const LONGEST_HEADER = 64 * 1024

/** The same text; the first piece holds the whole header, and says what of it stands outside of quotes. */
async function* withHeader(
  chunks: AsyncIterable<string>,
): AsyncGenerator<{ readonly text: string; readonly header: string | null }> {
  let begun: string | null = ''
  for await (const chunk of chunks) {
    if (begun === null) {
      yield { text: chunk, header: null }
      continue
    }
    begun += chunk
    const { header, isEnded } = headerOf(begun)
    if (!isEnded && begun.length < LONGEST_HEADER) continue
    yield { text: begun, header }
    begun = null
  }
  if (begun !== null) yield { text: begun, header: headerOf(begun).header }
}

/** The first line that is not blank. */
function headerOf(text: string): { readonly header: string; readonly isEnded: boolean } {
  const bare = text.replace(/^(?:[ \r]*\n)+/, '').replace(/"[^"]*"/g, '')
  const end = bare.indexOf('\n')
  return { header: end < 0 ? bare : bare.slice(0, end), isEnded: end >= 0 && !bare.slice(0, end).includes('"') }
}

/** A comma where there are as many of another. */
function delimiterOf(header: string): Delimiter {
  const counted = DELIMITERS.map((delimiter) => ({ delimiter, count: header.split(delimiter).length }))
  return counted.reduce((most, one) => (one.count > most.count ? one : most)).delimiter
}

/** What has been read of the current row; changes with every character. */
interface Reading {
  /** Known once the header is. */
  delimiter: Delimiter
  /** `closed`: after the quote that may end a quoted cell. */
  state: 'empty' | 'bare' | 'quoted' | 'closed'
  cell: string
  cells: string[]
  line: number
  rowLine: number
  quoteLine: number
}

/** The row that this character ends, if it does. */
function take(reading: Reading, character: string, name: string): CsvRow | null {
  if (character === '\n') reading.line++
  if (reading.state === 'quoted') takeQuoted(reading, character, name)
  else if (character === '\n') return endRow(reading)
  else if (character === reading.delimiter) endCell(reading)
  else if (reading.state === 'closed') takeClosed(reading, character, name)
  else takeBare(reading, character)
  return null
}

function takeQuoted(reading: Reading, character: string, name: string): void {
  if (character === '"') reading.state = 'closed'
  else reading.cell += character
  if (reading.cell.length > LONGEST_CELL) {
    throw new FileError(`${name}: line ${reading.quoteLine}: expected a closing ", got ${LONGEST_CELL} characters`)
  }
}

function takeClosed(reading: Reading, character: string, name: string): void {
  if (character === '"') {
    reading.cell += '"'
    reading.state = 'quoted'
  } else if (character !== '\r') {
    const got = JSON.stringify(plainText(character))
    const next = DELIMITER_NAMES[reading.delimiter]
    throw new FileError(`${name}: line ${reading.line}: expected a ${next} or the end of the row after ", got ${got}`)
  }
}

function takeBare(reading: Reading, character: string): void {
  if (character === '"' && reading.state === 'empty') {
    reading.state = 'quoted'
    reading.quoteLine = reading.line
  } else {
    reading.cell += character
    reading.state = 'bare'
  }
}

function endCell(reading: Reading): void {
  const isBareReturn = reading.state === 'bare' && reading.cell.endsWith('\r')
  reading.cells.push(isBareReturn ? reading.cell.slice(0, -1) : reading.cell)
  reading.cell = ''
  reading.state = 'empty'
}

/** Null for a blank line. */
function endRow(reading: Reading): CsvRow | null {
  const isBlank = reading.cells.length === 0 && reading.state !== 'closed' && reading.cell.trim() === ''
  endCell(reading)
  const row = { line: reading.rowLine, cells: reading.cells }
  reading.cells = []
  reading.rowLine = reading.line
  return isBlank ? null : row
}
