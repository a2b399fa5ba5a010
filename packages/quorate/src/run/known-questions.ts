import { decisionSchema } from '../record/decision.ts'
import { parseStored } from '../record/parse-stored.ts'
import { isLabelled, type Question } from '../record/question.ts'
import { isAlwaysReviewed } from '../record/review-rules.ts'
import type { Millis, Run, RunQuestion, Store } from '../store/store.ts'
import { plainText } from '../text/plain-text.ts'
import { reviewIdOf } from './decision-record.ts'
import { pagesOf } from './pages.ts'
import { RunError, type RunPlan } from './run-plan.ts'
import { readStoredQuestion } from './stored-question.ts'

/** What a store knows about questions that are asked again. */
export interface KnownQuestions {
  /** Ids of questions that this certificate has decided. */
  readonly decided: ReadonlySet<string>
  /** Those of them that another certificate decided later. */
  readonly replaced: ReadonlySet<string>
  /** Stopped runs of this config and certificate in which some of the questions are pending. */
  readonly unfinished: readonly Run[]
  /** Ids of questions that any run has asked. */
  readonly asked: ReadonlySet<string>
}

interface AskedAgain {
  readonly questions: readonly Question[]
  readonly certificateId: string
  readonly plan: RunPlan
  /** Earlier decisions do not count. */
  readonly isAgain: boolean
}

/**
 * Throws if an id has another text than before, since the store would mix two questions, and if a rule sends a question to a
 * person that did not apply to its earlier fields, since the earlier action would be returned for the new ones. After an erasure
 * nothing is left to compare with, so an earlier action is not returned either.
 */
export async function knownQuestions(
  store: Store,
  { questions, certificateId, plan, isAgain }: AskedAgain,
): Promise<KnownQuestions> {
  const [decided, asked, pendingIn] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const replaced = new Set<string>()
  const overruled: RunQuestion[] = []
  const erased: RunQuestion[] = []
  /** The run whose action is the latest decision on a question; null: it was deferred. */
  const actedIn = new Map<string, string | null>()
  for (const someQuestions of pagesOf(questions)) {
    const page = new Map(someQuestions.map((question) => [question.id, question]))
    const questionIds = [...page.keys()]
    for (const row of await store.runs.asked(questionIds)) {
      refuseOtherText(page.get(row.questionId), row)
      if (!isAgain && isOverruled(plan, page.get(row.questionId), row)) overruled.push(row)
      if (!isAgain && isErased(page.get(row.questionId), row)) erased.push(row)
      asked.add(row.questionId)
      if (row.status === 'pending') pendingIn.add(row.runId)
    }
    for (const { questionId, runId, kind, ...decision } of await store.decisions.ofQuestions({ questionIds })) {
      if (decision.certificateId !== certificateId) {
        if (decided.has(questionId)) replaced.add(questionId)
        continue
      }
      decided.add(questionId)
      replaced.delete(questionId)
      actedIn.set(questionId, kind === 'act' ? runId : null)
    }
  }
  const runs = await Promise.all([...pendingIn].map((id) => store.runs.find(id)))
  const unfinished = runs.flatMap((run) => (run !== null && isOurs(run, certificateId, plan) ? [run] : []))
  const isContinued = ({ status, runId }: RunQuestion) =>
    status === 'pending' && unfinished.some(({ id }) => id === runId)
  const stale = overruled.find((row) => actedIn.get(row.questionId) === row.runId || isContinued(row))
  if (stale !== undefined) throw overruledError(stale)
  const gone = erased.find((row) => actedIn.get(row.questionId) === row.runId)
  if (gone !== undefined) throw erasedError(gone)
  return { decided, replaced, asked, unfinished }
}

/** A label is the answer whatever was decided. */
function isErased(question: Question | undefined, { question: stored }: RunQuestion): boolean {
  return question !== undefined && stored === null && !isLabelled(question)
}

function erasedError({ runId, questionId }: RunQuestion): RunError {
  return new RunError(
    `the question ${JSON.stringify(plainText(questionId))} was acted on before, and its text was erased (run ${runId}), so ` +
      'it cannot be compared: give it another id, or decide it again with --again',
  )
}

/** Whether a rule applies to the question now, and none did to its stored fields. A label is the answer whatever rules say. */
function isOverruled(
  { panel: { alwaysReview } }: RunPlan,
  question: Question | undefined,
  { question: stored }: RunQuestion,
): boolean {
  if (question === undefined || stored === null || isLabelled(question)) return false
  return isAlwaysReviewed(alwaysReview, question) && !isAlwaysReviewed(alwaysReview, readStoredQuestion(stored))
}

function overruledError({ runId, questionId }: RunQuestion): RunError {
  return new RunError(
    `the question ${JSON.stringify(plainText(questionId))} was asked before with fields that no rule sends to a person ` +
      `(alwaysReview), and now one does (run ${runId}): give it another id, or decide it again with --again`,
  )
}

/** Throws if an id has another text than in an earlier run. */
export async function refuseOtherTexts(store: Store, questions: readonly Question[]): Promise<void> {
  for (const someQuestions of pagesOf(questions)) {
    const page = new Map(someQuestions.map((question) => [question.id, question]))
    for (const row of await store.runs.asked([...page.keys()])) refuseOtherText(page.get(row.questionId), row)
  }
}

function isOurs(run: Run, certificateId: string, plan: RunPlan): boolean {
  const isSame = run.certificateId === certificateId && run.configHash === plan.hash
  return isSame && run.kind === 'decide' && run.status === 'open' && !run.isShadow
}

function refuseOtherText(question: Question | undefined, { runId, questionId, question: stored }: RunQuestion): void {
  // An erased text cannot be compared.
  if (question === undefined || stored === null) return
  if (readStoredQuestion(stored).question === question.question) return
  throw new RunError(
    `the question ${JSON.stringify(plainText(questionId))} was asked before with another text (run ${runId}): an id names one ` +
      'question for good, so give the new one another id',
  )
}

/**
 * Retracts the waiting review items of earlier deferrals of these questions, and returns how many there were. Spot checks stay:
 * the monitor counted the first arrival of each question and needs the label of its spot check. An item that a reviewer works on
 * stays, and so does that of a server's question, because its caller waits for this answer.
 */
export async function supersedeReviews(
  { reviews, decisions }: Pick<Store, 'reviews' | 'decisions'>,
  { runId, questionIds, now }: Superseding,
): Promise<number> {
  let superseded = 0
  for (const page of pagesOf(questionIds)) {
    const found = await decisions.ofQuestions({ questionIds: page })
    const own = new Map(found.flatMap(({ id, ...of }) => (of.runId === runId ? [[of.questionId, id] as const] : [])))
    for (const { id, questionId, decision } of found) {
      // Ids sort by time. A run that was interrupted may have older decisions than a run after it.
      const renewed = own.get(questionId)
      if (renewed === undefined || id >= renewed) continue
      if (parseStored(askedSchema, decision, `decision ${id}`).caller !== null) continue
      const review = await reviews.find(reviewIdOf(id))
      if (review?.status !== 'waiting' || review.source === 'spot-check') continue
      const isClaimed = review.claimedUntil !== null && review.claimedUntil > now
      // A reviewer who claims the item at this moment keeps it.
      if (!isClaimed && (await reviews.update(review.id, review, { status: 'retracted' }))) superseded += 1
    }
  }
  return superseded
}

export interface Superseding {
  /** The run of the newer decisions. */
  readonly runId: string
  readonly questionIds: readonly string[]
  readonly now: Millis
}

const askedSchema = decisionSchema.pick({ caller: true })
