import { decisionSchema } from '../../record/decision.ts'
import { areClasses } from '../../record/open-answers.ts'
import { parseStored } from '../../record/parse-stored.ts'
import { isLabelled, type Question, type QuestionColumns } from '../../record/question.ts'
import type { Store, StoredDecision } from '../../store/store.ts'
import { COMMA, cellText } from '../../text/csv-text.ts'
import { reviewIdOf } from '../decision-record.ts'
import { inPages } from '../pages.ts'
import { writeQuestion } from '../stored-question.ts'
import { addedTitles, answerIn, csvRow } from './answer-lines.ts'

export interface DecidedRequest {
  readonly questions: AsyncIterable<Question>
  readonly certificateId: string
  /** Only decisions of this run, even a shadow run. Absent: the latest decision of any run. */
  readonly runId?: string
  readonly format: 'csv' | 'jsonl'
  /** Delimiter of CSV, as in the input. */
  readonly delimiter?: string
  /** Whether CSV begins with a byte order mark. */
  readonly hasMark?: boolean
}

const ADDED = ['decision', 'answer', 'bound', 'threshold', 'reason', 'decision_id', 'review_id'] as const

/**
 * Every row of the input with all its columns in order, and the decision: `act`, `defer`, `label` for a row that already has
 * its answer, or `pending` for a row that is not decided yet. Lines without line ends.
 */
export async function* decidedRows(store: Store, request: DecidedRequest): AsyncGenerator<string> {
  const { format, certificateId, delimiter = COMMA, hasMark = false } = request
  let titles: readonly string[] | null = null
  for await (const page of inPages(request.questions)) {
    const questionIds = page.map(({ id }) => id)
    const found =
      request.runId === undefined
        ? await store.decisions.ofQuestions({ questionIds, certificateId })
        : await decisionsOfRun(store, request.runId, questionIds)
    const latest = new Map(found.map((decision) => [decision.questionId, decision]))
    for (const question of page) {
      const columns = columnsOf(question)
      const added = await withText(store, question, addedOf(question, latest.get(question.id)), latest.get(question.id))
      if (format === 'jsonl') yield JSON.stringify({ ...Object.fromEntries(columns), ...added })
      else {
        if (titles === null) {
          titles = columns.map(([title]) => title)
          yield `${hasMark ? '\ufeff' : ''}${csvRow([...titles, ...addedTitles(ADDED, titles)], delimiter)}`
        }
        const cells = new Map(columns.map(([title, value]) => [title, cellText(value)]))
        const own = ADDED.map((name) => cellText(added[name]))
        yield csvRow([...titles.map((title) => cells.get(title) ?? ''), ...own], delimiter)
      }
    }
  }
}

async function decisionsOfRun({ decisions }: Store, runId: string, questionIds: readonly string[]) {
  const found = await Promise.all(questionIds.map((questionId) => decisions.find(runId, questionId)))
  return found.filter((decision) => decision !== null)
}

type Added = Readonly<Record<(typeof ADDED)[number], string | number | null>>

const NOTHING = { answer: null, bound: null, threshold: null, reason: null, decision_id: null, review_id: null }

const shownSchema = decisionSchema.pick({ bound: true, path: true })

/** Replaces the class of an open answer by its text. */
async function withText(
  store: Store,
  question: Question,
  added: Added,
  decision: StoredDecision | undefined,
): Promise<Added> {
  if (decision === undefined || !areClasses(question.options)) return added
  const { runId, questionId, answer } = decision
  return { ...added, answer: await answerIn(store, { runId, questionId, question: writeQuestion(question), answer }) }
}

function addedOf(question: Question, decision: StoredDecision | undefined): Added {
  if (decision === undefined) {
    const { gold, goldText = null } = question
    return { ...NOTHING, decision: isLabelled(question) ? 'label' : 'pending', answer: gold ?? goldText }
  }
  const { id, kind, answer, reason } = decision
  const { bound, path } = parseStored(shownSchema, decision.decision, `decision ${id}`)
  return {
    decision: kind,
    answer,
    bound,
    threshold: path.at(-1)?.threshold ?? null,
    reason,
    decision_id: id,
    // The review item of an action is not named, because its existence would reveal a spot check.
    review_id: kind === 'defer' ? reviewIdOf(id) : null,
  }
}

function columnsOf({ id, question, gold, group, columns }: Question): QuestionColumns {
  return columns ?? Object.entries({ id, question, gold, group })
}
