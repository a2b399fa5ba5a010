import { debateRoundsSchema } from '../../record/debate.ts'
import { decisionSchema } from '../../record/decision.ts'
import { areClasses, OTHER, representatives } from '../../record/open-answers.ts'
import { findStored, parseStored } from '../../record/parse-stored.ts'
import type { QuestionColumns, QuestionKey } from '../../record/question.ts'
import type { Run, RunQuestion, Store, StoredDecision, StoredLabel } from '../../store/store.ts'
import { cellText, csvLine } from '../../text/csv-text.ts'
import { allRuns } from '../find-run.ts'
import { inPages, questionRows } from '../pages.ts'
import { readStoredQuestion } from '../stored-question.ts'

export const ANSWER_FORMATS = ['csv', 'jsonl'] as const
export type AnswerFormat = (typeof ANSWER_FORMATS)[number]

export interface AnswerRequest {
  readonly format: AnswerFormat
  /** Only this run; null: every run that decides. */
  readonly run: Run | null
  /** Which of these questions have answers that the reader may not see. Absent: none. */
  readonly hidden?: (questionIds: readonly string[]) => Promise<ReadonlySet<string>>
  /** Which questions are exported. Absent: all of them. */
  readonly isWanted?: (question: QuestionKey) => boolean
}

/** The final answer to one question. */
export interface FinalAnswer {
  readonly id: string
  readonly columns: QuestionColumns
  /** Null: there is no answer yet, a person could not answer it, or it is hidden. */
  readonly answer: string | null
  readonly by: 'panel' | 'person' | 'import' | 'hidden' | null
  readonly reviewer: string | null
  /** Milliseconds since 1970; null while there is no answer. */
  readonly at: number | null
  readonly bound: number | null
  readonly decisionId: string
}

const OWN = ['answer', 'by', 'reviewer', 'at', 'bound', 'decision_id'] as const

/**
 * The final answers of decided questions, as lines without line ends. A person's answer counts before that of the panel, which
 * counts if it acted. A question that was decided several times appears once, with the latest decision.
 */
export async function* answerLines(store: Store, request: AnswerRequest): AsyncGenerator<string> {
  if (request.format === 'jsonl') {
    for await (const { columns, at, ...answer } of finalAnswers(store, request)) {
      yield JSON.stringify({ quorate: 1, ...answer, at: timeText(at), columns: Object.fromEntries(columns) })
    }
    return
  }
  const titles = await columnTitles(store, request)
  yield csvRow(['id', ...titles, ...addedTitles(OWN, titles)])
  for await (const { id, columns, answer, by, reviewer, at, bound, decisionId } of finalAnswers(store, request)) {
    const cells = new Map(columns.map(([name, value]) => [name, cellText(value)]))
    const own = [answer, by, reviewer, timeText(at), bound, decisionId].map(cellText)
    yield csvRow([id, ...titles.map((title) => cells.get(title) ?? ''), ...own])
  }
}

/** Names of columns that are added to an input. A name that the input already has gets a prefix. */
export function addedTitles(added: readonly string[], titles: readonly string[]): readonly string[] {
  return added.map((title) => (titles.includes(title) ? addedTitles([`quorate_${title}`], titles).join('') : title))
}

/** All columns of the inputs except the id, in the order of their first appearance. */
async function columnTitles(store: Store, request: AnswerRequest): Promise<readonly string[]> {
  const titles = new Set<string>()
  for await (const page of questionPages(store, request)) {
    for (const { question } of page) {
      for (const [title] of columnsOf(question)) if (title !== 'id') titles.add(title)
    }
  }
  return [...titles]
}

async function* finalAnswers(store: Store, request: AnswerRequest): AsyncGenerator<FinalAnswer> {
  for await (const page of questionPages(store, request)) {
    const questionIds = page.map(({ questionId }) => questionId)
    const latest = new Map<string, StoredDecision>()
    for (const decision of await store.decisions.ofQuestions({ questionIds })) latest.set(decision.questionId, decision)
    const labels = await labelsOf(store, questionIds)
    const hidden = (await request.hidden?.(questionIds)) ?? new Set()
    for (const { runId, questionId, question } of page) {
      const decision = latest.get(questionId)
      // A later run decided it again.
      if (decision === undefined || decision.runId !== runId) continue
      if (request.isWanted?.({ runId, questionId }) === false) continue
      const final = hidden.has(questionId) ? HIDDEN : answerOf(decision, labels.get(questionId))
      const answer =
        (final.by === 'hidden' ? null : labels.get(questionId)?.text) ??
        (await answerIn(store, { runId, questionId, question, answer: final.answer }))
      yield { id: questionId, columns: columnsOf(question), decisionId: decision.id, ...final, answer }
    }
  }
}

interface GivenAnswer extends QuestionKey {
  readonly question: string | null
  readonly answer: string | null
}

/** An open answer as text instead of its class; the class itself if the text was erased. */
export async function answerIn(
  { debates }: Store,
  { runId, questionId, question, answer }: GivenAnswer,
): Promise<string | null> {
  if (answer === null || question === null || !areClasses(readStoredQuestion(question).options)) return answer
  // A person said that none of the panel's answers is right, but not which answer is.
  if (answer === OTHER) return null
  const stored = await debates.find(runId, questionId)
  const rounds = findStored(debateRoundsSchema, stored?.debate ?? null)?.rounds ?? []
  return representatives(rounds).get(answer) ?? answer
}

type AnswerSource = Pick<FinalAnswer, 'answer' | 'by' | 'reviewer' | 'at' | 'bound'>

const HIDDEN: AnswerSource = { answer: null, by: 'hidden', reviewer: null, at: null, bound: null }

const boundSchema = decisionSchema.pick({ bound: true })

function answerOf(decision: StoredDecision, label: StoredLabel | undefined): AnswerSource {
  const { bound } = parseStored(boundSchema, decision.decision, `decision ${decision.id}`)
  if (label !== undefined) {
    const by = label.source === 'import' ? 'import' : 'person'
    return { answer: label.gold, by, reviewer: label.by, at: label.at, bound }
  }
  if (decision.kind === 'act') return { answer: decision.answer, by: 'panel', reviewer: null, at: decision.at, bound }
  return { answer: null, by: null, reviewer: null, at: null, bound }
}

/** The latest label of each question. It names an option, or says that nobody can tell. */
async function labelsOf(store: Store, questionIds: readonly string[]): Promise<ReadonlyMap<string, StoredLabel>> {
  return new Map((await store.labels.ofAll(questionIds)).map((label) => [label.questionId, label]))
}

/** The questions of the runs that decide, oldest run first, page by page. */
async function* questionPages(store: Store, { run }: AnswerRequest): AsyncGenerator<readonly RunQuestion[]> {
  for (const { id } of run === null ? await decidingRuns(store) : [run]) {
    yield* inPages(questionRows(store, id))
  }
}

async function decidingRuns(store: Store): Promise<readonly { readonly id: string }[]> {
  const runs: { readonly id: string }[] = []
  for await (const { id, kind, isShadow } of allRuns(store)) if (kind === 'decide' && !isShadow) runs.unshift({ id })
  return runs
}

/** An erased question has no columns. */
function columnsOf(question: string | null): QuestionColumns {
  if (question === null) return []
  const { columns, question: text, group } = readStoredQuestion(question)
  return columns ?? [['question', text], ...(group === null ? [] : [['group', group] as const])]
}

function timeText(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}

/** A line of CSV without its line end. */
export function csvRow(cells: readonly string[], delimiter?: string): string {
  return csvLine(cells, delimiter).replace(/\r\n$/u, '')
}
