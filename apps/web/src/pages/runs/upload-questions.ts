import type { DecisionView, QuestionInput } from 'quorate/contract'
import { request } from '../../api/client.ts'
import type { CsvTable } from './csv-text.ts'

/** Which column holds what; null: none does. */
export interface ColumnChoice {
  readonly id: string | null
  readonly question: string
  readonly group: string | null
  /** A column with the options of each question, separated by |; null: `options` are those of all. */
  readonly optionColumn: string | null
  readonly options: readonly string[]
}

/** Likely columns by their names. */
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
  /** Rows that are no question, and why; the first few. */
  readonly bad: readonly string[]
}

const FEWEST_OPTIONS = 2

/** Rows as questions; columns that are chosen for nothing go along with them. `hasLabels`: the task has answers for all. */
export function questionsOf({ names, rows }: CsvTable, choice: ColumnChoice, hasLabels: boolean): ReadQuestions {
  const questions: QuestionInput[] = []
  const bad: string[] = []
  const seen = new Set<string>()
  for (const [index, cells] of rows.entries()) {
    const cell = (name: string | null) => (name === null ? '' : (cells[names.indexOf(name)] ?? '').trim())
    const [id, question, group] = [cell(choice.id), cell(choice.question), cell(choice.group)]
    const options = choice.optionColumn === null ? choice.options : optionsOf(cell(choice.optionColumn))
    const place = `Row ${index + 1}`
    if (question === '') bad.push(`${place} has no question.`)
    else if (choice.id !== null && id === '') bad.push(`${place} has no id.`)
    else if (id !== '' && seen.has(id)) bad.push(`${place} has the id of an earlier row.`)
    else if (!hasLabels && options.length < FEWEST_OPTIONS) bad.push(`${place} has fewer than two options.`)
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

const AT_ONCE = 4
const IDS_AT_ONCE = 1000

/** Ids that were decided before: such questions are skipped. */
export async function decidedBefore(questions: readonly QuestionInput[], signal: AbortSignal): Promise<Set<string>> {
  const ids = questions.flatMap(({ id }) => id ?? [])
  const known = new Set<string>()
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const body = { ids: ids.slice(from, from + IDS_AT_ONCE) }
    const answer = await request<{ known: string[] }>('/v1/decisions/known', { method: 'POST', body, signal })
    for (const id of answer.known) known.add(id)
  }
  return known
}

export interface Sent {
  readonly sent: number
  readonly refused: readonly string[]
}

/** Sends a few at a time; each is stored when it is accepted, so that what was sent is decided also without this page. */
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
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return { sent, refused }
}
