import type { DecisionView, QuestionInput } from 'quorate/contract'
import { request } from '../../api/client.ts'
import type { CsvTable } from './csv-text.ts'

/** The meaning of the columns; null if no column has it. */
export interface ColumnChoice {
  readonly id: string | null
  readonly question: string
  readonly group: string | null
  /** The column with the options of each question, separated by |; null if `options` apply to all. */
  readonly optionColumn: string | null
  readonly options: readonly string[]
}

/** Guesses the meaning of columns from their names. */
export function guessColumns({ names }: CsvTable): ColumnChoice {
  const find = (...likely: readonly string[]) =>
    names.find((name) => likely.includes(name.trim().toLowerCase())) ?? null
  return {
    id: find('id', 'key', 'ticket', 'ticket_id', 'number'),
    question: find('question', 'text', 'ticket_text', 'body', 'message', 'input') ?? names[0] ?? '',
    group: find('group', 'channel', 'category', 'type'),
    optionColumn: find('options', 'choices', 'answers'),
    options: [],
  }
}

export interface ReadQuestions {
  readonly questions: readonly QuestionInput[]
  /** A sentence for each row that is not a question. */
  readonly bad: readonly string[]
}

const MIN_OPTIONS = 2

/** Turns rows into questions with all columns as fields. With `hasLabels`, the config has the options of all questions. */
export function questionsOf({ names, rows }: CsvTable, choice: ColumnChoice, hasLabels: boolean): ReadQuestions {
  const questions: QuestionInput[] = []
  const bad: string[] = []
  const seen = new Set<string>()
  for (const [index, cells] of rows.entries()) {
    const cell = (name: string | null) => (name === null ? '' : (cells[names.indexOf(name)] ?? '').trim())
    const [id, question, group] = [cell(choice.id), cell(choice.question), cell(choice.group)]
    const options = choice.optionColumn === null ? choice.options : optionsOf(cell(choice.optionColumn))
    const row = `Row ${index + 1}`
    if (question === '') bad.push(`${row} has no question.`)
    else if (choice.id !== null && id === '') bad.push(`${row} has no id.`)
    else if (id !== '' && seen.has(id)) bad.push(`${row} has the id of an earlier row.`)
    else if (!hasLabels && options.length < MIN_OPTIONS) bad.push(`${row} has fewer than two options.`)
    else {
      if (id !== '') seen.add(id)
      questions.push({
        question,
        ...(id === '' ? {} : { id }),
        ...(group === '' ? {} : { group }),
        ...(hasLabels ? {} : { options: [...options] }),
        fields: Object.fromEntries(names.map((name, column) => [name, cells[column] ?? ''])),
      })
    }
  }
  return { questions, bad }
}

export function optionsOf(text: string): readonly string[] {
  return [...new Set(text.split('|').map((one) => one.trim()))].filter((one) => one !== '')
}

/** The number of questions that are sent concurrently. */
const CONCURRENCY = 4
/** The number of ids in one request. */
const ID_BATCH = 1000

/** The ids that were decided before. Their questions are skipped. */
export async function decidedBefore(questions: readonly QuestionInput[], signal: AbortSignal): Promise<Set<string>> {
  const ids = questions.flatMap(({ id }) => id ?? [])
  const known = new Set<string>()
  for (let from = 0; from < ids.length; from += ID_BATCH) {
    const body = { ids: ids.slice(from, from + ID_BATCH) }
    const answer = await request<{ known: string[] }>('/v1/decisions/known', { method: 'POST', body, signal })
    for (const id of answer.known) known.add(id)
  }
  return known
}

export interface Sent {
  readonly sent: number
  readonly refused: readonly string[]
}

/** Sends a few questions at a time. The server stores each one it accepts, so it is decided even if this page is closed. */
export async function sendQuestions(
  questions: readonly QuestionInput[],
  { onSent, signal }: { readonly onSent: (sent: Sent) => void; readonly signal: AbortSignal },
): Promise<Sent> {
  const waiting = [...questions]
  const refused: string[] = []
  let sent = 0
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) {
      try {
        await request<DecisionView>('/v1/decisions', { method: 'POST', body: next, signal })
        sent += 1
      } catch (error) {
        refused.push(
          `${next.id ?? next.question.slice(0, 40)}: ${error instanceof Error ? error.message : String(error)}`,
        )
      }
      onSent({ sent, refused: [...refused] })
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  return { sent, refused }
}
