import { FileError } from '../files/file-error.ts'
import type { Question } from '../record/question.ts'
import { plainText } from '../text/plain-text.ts'
import { type ColumnMap, csvQuestions } from './csv-questions.ts'
import { readQuestion, refusal } from './read-question.ts'
import { textLines } from './text-lines.ts'

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
