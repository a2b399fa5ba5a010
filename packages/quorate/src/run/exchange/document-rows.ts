import { decisionSchema } from '../../record/decision.ts'
import { parseStored } from '../../record/parse-stored.ts'
import type { Question, QuestionColumns } from '../../record/question.ts'
import type { Store, StoredDecision, StoredLabel } from '../../store/store.ts'
import { COMMA, cellText } from '../../text/csv-text.ts'
import { addedTitles, answerIn, csvRow } from './answer-lines.ts'

export interface DecidedField {
  readonly name: string
  readonly isCritical: boolean
  readonly certificateId: string
  /** Column of the input with the right answer. */
  readonly goldColumn: string
  readonly idOf: (documentId: string) => string
}

/**
 * The decision on a document, from its critical fields. `act`: the panel acted on every field that the input left open.
 * `reviewed`: people answered some. `label`: the input had all answers. `defer`: some wait for a person. `unanswered`: a person
 * could not answer one. `pending`: some are not decided yet.
 */
export type DocumentDecision = 'act' | 'reviewed' | 'label' | 'defer' | 'unanswered' | 'pending'

export interface DocumentRequest {
  /** The documents with all columns of the input. */
  readonly documents: AsyncIterable<Question>
  readonly fields: readonly DecidedField[]
  readonly format: 'csv' | 'jsonl'
  /** Delimiter of CSV, as in the input. */
  readonly delimiter?: string
  readonly hasMark?: boolean
  readonly onDocument?: (decision: DocumentDecision) => void
}

const OF_FIELD = ['decision', 'answer', 'bound', 'reason'] as const

/**
 * One row per document: its columns, its decision, and for each field the decision (`act`, `defer`, `person`, `unanswered`,
 * `label`, `pending`), the answer, the bound and the reason. Lines without line ends.
 */
export async function* documentRows(store: Store, request: DocumentRequest): AsyncGenerator<string> {
  const { fields, format, delimiter = COMMA, hasMark = false, onDocument } = request
  const added = ['decision', 'reason', ...fields.flatMap(({ name }) => OF_FIELD.map((what) => `${name}_${what}`))]
  let titles: readonly string[] | null = null
  for await (const document of request.documents) {
    const found = await Promise.all(fields.map((field) => fieldOf(store, document, field)))
    const decision = documentDecision(fields, found)
    onDocument?.(decision)
    const reason = fields.flatMap(({ name, isCritical }, at) => (isCritical && isOpen(found[at]) ? name : [])).join(' ')
    const cells = [decision, reason, ...found.flatMap((each) => OF_FIELD.map((what) => each[what]))]
    const columns = columnsOf(document)
    if (format === 'jsonl') {
      const named = added.map((title, at) => [title, cells[at] ?? null] as const)
      yield JSON.stringify({ ...Object.fromEntries(columns), ...Object.fromEntries(named) })
      continue
    }
    if (titles === null) {
      titles = columns.map(([title]) => title)
      yield `${hasMark ? '\ufeff' : ''}${csvRow([...titles, ...addedTitles(added, titles)], delimiter)}`
    }
    const own = new Map(columns.map(([title, value]) => [title, cellText(value)]))
    yield csvRow([...titles.map((title) => own.get(title) ?? ''), ...cells.map(cellText)], delimiter)
  }
}

interface FieldRow {
  readonly decision: 'act' | 'defer' | 'person' | 'unanswered' | 'label' | 'pending'
  readonly answer: string | null
  readonly bound: number | null
  readonly reason: string | null
}

const boundSchema = decisionSchema.pick({ bound: true })

async function fieldOf(store: Store, document: Question, field: DecidedField): Promise<FieldRow> {
  const gold = document.columns?.find(([title]) => title === field.goldColumn)?.[1]
  const given = cellText(gold).trim()
  if (given !== '') return { decision: 'label', answer: given, bound: null, reason: null }
  const questionIds = [field.idOf(document.id)]
  const decisions = await store.decisions.ofQuestions({ questionIds, certificateId: field.certificateId })
  const label = (await store.labels.ofAll(questionIds)).at(-1)
  return rowOf(store, decisions.at(-1), label)
}

async function rowOf(
  store: Store,
  decision: StoredDecision | undefined,
  label: StoredLabel | undefined,
): Promise<FieldRow> {
  if (decision === undefined) return { decision: 'pending', answer: null, bound: null, reason: null }
  const { id, runId, questionId, kind, reason, answer } = decision
  const { bound } = parseStored(boundSchema, decision.decision, `decision ${id}`)
  const stored = (await store.runs.findQuestion(runId, questionId))?.question ?? null
  const inWords = (name: string | null) => answerIn(store, { runId, questionId, question: stored, answer: name })
  if (label !== undefined) {
    // The panel's answer no longer counts: a person could not tell, or said that it is wrong but not what is right.
    const given = label.text ?? (await inWords(label.gold))
    return { decision: given === null ? 'unanswered' : 'person', answer: given, bound, reason }
  }
  return { decision: kind, answer: await inWords(answer), bound, reason }
}

function documentDecision(fields: readonly DecidedField[], found: readonly FieldRow[]): DocumentDecision {
  const critical = new Set(found.filter((_, at) => fields[at]?.isCritical === true).map(({ decision }) => decision))
  if (critical.has('pending')) return 'pending'
  if (critical.has('defer')) return 'defer'
  if (critical.has('unanswered')) return 'unanswered'
  if (critical.has('person')) return 'reviewed'
  return critical.has('act') ? 'act' : 'label'
}

function isOpen(row: FieldRow | undefined): boolean {
  return row?.decision === 'defer' || row?.decision === 'unanswered'
}

function columnsOf({ id, question, group, columns }: Question): QuestionColumns {
  return columns ?? Object.entries({ id, question, group })
}
