import { FileError, refusal } from '../files/file-error.ts'
import { parseLine } from '../files/read-lines.ts'
import { LIMITS } from '../record/limits.ts'
import type { Question, QuestionColumns } from '../record/question.ts'
import { nearestName } from '../text/nearest-name.ts'
import { countOf } from '../text/number-text.ts'
import { plainText } from '../text/plain-text.ts'
import {
  type ColumnMap,
  csvQuestions,
  type FieldColumns,
  type RawQuestion,
  type RawQuestions,
} from './csv-questions.ts'
import { checkFieldLength, type DocumentField } from './document-field.ts'
import { type CommonAnswers, checkLength, namedField, readQuestion } from './read-question.ts'
import { textChunks } from './text-chunks.ts'

export interface QuestionFileOptions {
  /** The column of each field in CSV. If given, the file is read as CSV, whatever its name. */
  readonly columns?: ColumnMap | undefined
  /** The column or field of each part, from the config. `columns` takes precedence. A file may lack `gold`. */
  readonly fields?: FieldColumns
  /** The answers of all questions; absent: every question has its own options. */
  readonly common?: CommonAnswers | null
  /** Whether questions carry the columns of their row. */
  readonly keepColumns?: boolean
  /** The rows are documents, which must be short enough for the question about this field. */
  readonly field?: DocumentField | undefined
  /** Called with every row that cannot be read, which is then left out. Absent: the first such row is an error. */
  readonly onBad?: (row: BadRow) => void
}

/** A row that could not be read as a question, and why. */
export interface BadRow {
  readonly line: number
  readonly cells: readonly string[]
  /** The header of a CSV file; null for JSONL, whose line is the only cell. */
  readonly header: readonly string[] | null
  readonly problem: string
}

/**
 * Reads questions one by one, in the order of the file: JSONL, or CSV if the name ends in .csv or columns are given.
 * Only the ids stay in memory, to refuse duplicates.
 */
export async function* readQuestions(path: string, options: QuestionFileOptions = {}): AsyncGenerator<Question> {
  const { onBad } = options
  const name = plainText(path)
  const { header, rows } = await rawQuestions(path, options)
  const lineOf = new Map<string, number>()
  let bad = 0
  let firstProblem = ''
  for await (const row of rows) {
    const { line, cells } = row
    let question: Question
    try {
      question = questionOf(row, options, lineOf)
    } catch (error) {
      if (onBad === undefined || !(error instanceof FileError)) throw error
      onBad({ line, cells, header, problem: error.message })
      if (bad === 0) firstProblem = error.message
      bad += 1
      continue
    }
    if (lineOf.size >= LIMITS.questions) {
      throw new FileError(
        `${name}: line ${line}: a file must have at most ${LIMITS.questions} questions, got more. Split it into several`,
      )
    }
    lineOf.set(question.id, line)
    yield question
  }
  if (lineOf.size > 0) return
  const only = bad === 0 ? '' : ` but ${countOf(bad, 'row')} that cannot be read. The first one: ${firstProblem}`
  throw new FileError(`${name}: expected questions, one per line, got none${only}`)
}

export function isCsvFile(path: string, { columns }: QuestionFileOptions = {}): boolean {
  return columns !== undefined || path.toLowerCase().endsWith('.csv')
}

async function rawQuestions(path: string, options: QuestionFileOptions): Promise<RawQuestions> {
  const { columns, fields = {}, common = null } = options
  if (isCsvFile(path, options)) {
    const { gold: usualGold, ...others } = fields
    return csvQuestions(path, { map: { ...others, ...columns }, hasOptions: common === null, usualGold })
  }
  return { header: null, rows: jsonQuestions(path, fields) }
}

function questionOf(
  { read, place }: RawQuestion,
  { common = null, keepColumns = false, field }: QuestionFileOptions,
  lineOf: ReadonlyMap<string, number>,
): Question {
  const { value, columns } = read()
  const question = readQuestion(value, place, common)
  if (field !== undefined) checkFieldLength(question, field, place)
  const first = lineOf.get(question.id)
  if (first !== undefined) {
    throw refusal(place('id'), `a unique id: line ${first} has the same`, question.id)
  }
  if (!keepColumns) return question
  for (const [index, [column, cell]] of columns.entries()) {
    if (typeof cell === 'string') checkLength(cell, place(`column ${JSON.stringify(plainText(column))}`, index))
  }
  return { ...question, columns }
}

async function* jsonQuestions(path: string, fields: FieldColumns): AsyncGenerator<RawQuestion> {
  const name = plainText(path)
  for await (const { number, text } of textLines(path)) {
    if (text.trim() === '') continue
    const at = `${name}: line ${number}`
    yield {
      line: number,
      cells: [text],
      place: (field) => `${at}: ${namedField(field, Reflect.get(fields, field))}`,
      read() {
        const line = parsedLine(text, at)
        if (typeof line !== 'object' || line === null || Array.isArray(line)) {
          throw refusal(`${at}: the line`, 'one JSON object', line)
        }
        refuseNearGold(line, fields.gold, at)
        return { value: mapped(line, fields), columns: Object.entries(line) satisfies QuestionColumns }
      },
    }
  }
}

function parsedLine(text: string, at: string): unknown {
  try {
    return parseLine(text, at)
  } catch (error) {
    if (!(error instanceof FileError && error.cause instanceof SyntaxError)) throw error
    // V8 ends with the position, except that of a text that ends too early, and of an unexpected character, with which it quotes
    // the text.
    const { message } = error.cause
    const position = message.startsWith('Unexpected end of JSON')
      ? text.length
      : /at position (\d+)(?: \(line \d+ column \d+\))?$/u.exec(message)?.[1]
    const column = position === undefined ? '' : `, column ${Number(position) + 1}`
    throw new FileError(`${at}${column}: the line must be one JSON object, got ${shownLine(text)}`, {
      cause: error.cause,
    })
  }
}

const LONGEST_SHOWN = 60

function shownLine(text: string): string {
  return JSON.stringify(plainText(text).slice(0, LONGEST_SHOWN))
}

/** A line may lack the label. It is refused if it has a field of nearly the same name: one of the two is probably a typo. */
function refuseNearGold(line: object, gold: string | undefined, at: string): void {
  if (gold === undefined || Object.hasOwn(line, gold)) return
  const names = Object.keys(line)
  const near = nearestName(gold, names)
  if (near === null) return
  const has = names.slice(0, 20).map((name) => JSON.stringify(plainText(name)))
  throw new FileError(
    `${at}: the field of gold must be ${JSON.stringify(plainText(gold))} (questions.gold of the config), got ${has.join(', ')}. ` +
      `Did you mean ${JSON.stringify(plainText(near))}?`,
  )
}

/** The line with the fields that the config maps, under their usual names. */
function mapped(line: object, fields: FieldColumns): object {
  const renamed = Object.entries(fields).flatMap(([field, column]) =>
    column === undefined || column === field
      ? []
      : [[field, Object.hasOwn(line, column) ? Reflect.get(line, column) : undefined] as const],
  )
  return renamed.length === 0 ? line : { ...line, ...Object.fromEntries(renamed) }
}

/** Longer than any question. A file without line ends must not fill the memory. */
const LONGEST_LINE = 16 * 2 ** 20

/**
 * Reads lines that end in \n or \r\n and in nothing else. JSON may contain U+2028 and U+2029, at which Node's own
 * readline would split. Lines are numbered from 1.
 */
async function* textLines(path: string): AsyncGenerator<{ readonly number: number; readonly text: string }> {
  let number = 1
  let rest = ''
  for await (const chunk of textChunks(path)) {
    const pieces = chunk.split('\n')
    rest += pieces[0] ?? ''
    for (const piece of pieces.slice(1)) {
      yield { number, text: withoutReturn(rest) }
      number++
      rest = piece
    }
    if (rest.length > LONGEST_LINE) {
      throw new FileError(
        `${plainText(path)}: line ${number}: expected at most ${LONGEST_LINE} characters on a line, got more`,
      )
    }
  }
  if (rest !== '') yield { number, text: withoutReturn(rest) }
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
