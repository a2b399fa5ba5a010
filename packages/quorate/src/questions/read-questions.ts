import { FileError } from '../files/file-error.ts'
import type { Question } from '../record/question.ts'
import { plainText } from '../text/plain-text.ts'
import { type ColumnMap, csvQuestions } from './csv-questions.ts'
import { readQuestion, refusal } from './read-question.ts'
import { textChunks } from './text-chunks.ts'

export interface QuestionFileOptions {
  /** Which column holds which field; given, the file is read as CSV whatever its name. */
  readonly columns?: ColumnMap
}

/**
 * Questions one by one, in the order of the file: JSONL, or CSV where the name ends in .csv or columns are given. Only
 * the ids stay in memory, to refuse one that comes twice.
 */
export async function* readQuestions(path: string, options: QuestionFileOptions = {}): AsyncGenerator<Question> {
  const name = plainText(path)
  const isCsv = options.columns !== undefined || path.toLowerCase().endsWith('.csv')
  const rows = isCsv ? csvQuestions(path, options.columns) : jsonQuestions(path)
  const lineOf = new Map<string, number>()
  for await (const { line, value } of rows) {
    const place = `${name}: line ${line}`
    const question = readQuestion(value, place)
    const first = lineOf.get(question.id)
    if (first !== undefined) {
      throw refusal(`${place}: id`, `an id of its own: line ${first} has the same`, question.id)
    }
    lineOf.set(question.id, line)
    yield question
  }
  if (lineOf.size === 0) throw new FileError(`${name}: expected questions, one a line, got none`)
}

async function* jsonQuestions(path: string): AsyncGenerator<{ readonly line: number; readonly value: unknown }> {
  for await (const { number, text } of textLines(path)) {
    if (text.trim() === '') continue
    yield { line: number, value: parsed(text, `${plainText(path)}: line ${number}`) }
  }
}

function parsed(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new FileError(`${place}: expected one JSON object, got ${JSON.stringify(plainText(text).slice(0, 60))}`, {
      cause,
    })
  }
}

interface TextLine {
  /** From 1. */
  readonly number: number
  readonly text: string
}

/** Longer than any question; a file without line ends must not fill the memory. */
const LONGEST_LINE = 16 * 2 ** 20

/**
 * Lines that end in \n or \r\n and in nothing else: JSON may hold U+2028 and U+2029 as they are, at which Node's own
 * readline would cut.
 */
async function* textLines(path: string): AsyncGenerator<TextLine> {
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
