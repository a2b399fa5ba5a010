import { hash } from 'node:crypto'
import { z } from 'zod'
import type { QuestionKey } from '../../record/question.ts'
import { questionStatusSchema } from '../../record/run.ts'
import { StoreError } from '../../record/store-error.ts'
import { checkedLimit } from '../checked-input.ts'
import type { AddedQuestion } from '../decisions/settlement.ts'
import type { Engine } from '../engine.ts'
import { affectedBy, rowOf, rowsOf, runAll, type Steps } from '../operation.ts'
import { perEngine } from '../per-engine.ts'
import { ONE, preparedQuery, preparedRows } from '../prepared-query.ts'
import { flagValue, integer, joinedDecision } from '../row-schemas.ts'
import { flag, type Tables } from '../schema.ts'
import type { NewQuestion, RateChange, Run, RunQuestion, SpotCheck } from '../store.ts'
import { finalLabel, labelColumns, labelOfRow } from './latest-label.ts'
import { rateText, runQuestionRow, runRow } from './run-rows.ts'

/** The certificate that questions of the run arrive for; null: for none, as nothing may be acted on. */
function countedFor({ kind, isShadow, certificateId }: Run): string | null {
  return kind === 'decide' && !isShadow ? certificateId : null
}

/** Numbers questions of a run as they arrive; nobody else adds one until the commit. */
export function* lockArrivals(
  engine: Engine,
  run: Run,
): Steps<(counted: NewQuestion['counted']) => Omit<Tables['runQuestions'], keyof RunQuestion | 'fence'>> {
  const certificateId = countedFor(run)
  const lock = engine.lock('arrivals')
  if (lock !== null) yield lock
  let last = certificateId === null ? null : yield* rowOf(prepared(engine).last({ certificateId }), LAST_ARRIVAL)
  return (counted = null) => {
    if (certificateId === null || counted === null) {
      return { certificateId: null, arrival: null, arrivedAt: null, spotCheckRate: null, rateMark: null }
    }
    const { spotCheckRate, at } = counted
    const rateMark = last?.spotCheckRate === spotCheckRate ? null : FIRST_OF_RATE
    last = { arrival: (last?.arrival ?? 0) + 1, spotCheckRate }
    return { certificateId, arrival: last.arrival, arrivedAt: at, spotCheckRate: String(spotCheckRate), rateMark }
  }
}

/**
 * Questions that come at once arrived in no order, but their file may be sorted, by subject say, and monitors compare
 * what came early with what came late. The order follows from the ids of run and question, so it can be made again.
 */
export function inOrderOfArrival<Question extends Pick<NewQuestion, 'questionId' | 'counted'>>(
  runId: string,
  questions: readonly Question[],
): readonly Question[] {
  if (!questions.some(({ counted = null }) => counted !== null)) return questions
  const lots = questions.map((question) => ({
    question,
    lot: hash('sha256', JSON.stringify(['arrival', runId, question.questionId])),
  }))
  return lots.sort((left, right) => (left.lot < right.lot ? -1 : 1)).map(({ question }) => question)
}

/** Marks of arrivals: the first of a stretch with the same rate, and one of a suspended policy, which no longer counts. */
const FIRST_OF_RATE = 1
export const NOT_COUNTED = 2

export function* lastArrival(engine: Engine, certificateId: string): Steps<number> {
  return (yield* rowOf(prepared(engine).last({ certificateId }), LAST_ARRIVAL))?.arrival ?? 0
}

export function readQuestion(engine: Engine, runId: string, questionId: string): Steps<RunQuestion | null> {
  return rowOf(prepared(engine).question({ runId, questionId }), runQuestionRow)
}

export function* wasSampled(engine: Engine, questionId: string): Steps<boolean | null> {
  const asked = yield* rowsOf(prepared(engine).decided({ questionId }), SAMPLED_QUESTION)
  return asked.length === 0 ? null : asked.some(({ isSpotCheck }) => isSpotCheck)
}

export function* addQuestion(engine: Engine, runId: string, question: NewQuestion): Steps<AddedQuestion> {
  const { run: ofRun, lastPosition, insert } = prepared(engine)
  const run = yield* rowOf(ofRun({ runId }), runRow)
  if (run === null) throw new StoreError('missing', `store: there is no run ${JSON.stringify(runId)}`)
  if (run.status !== 'open') throw new StoreError('invalid', `store: run ${runId} is done and takes no question`)
  // Positions and arrivals are given out under one lock.
  const numbered = yield* lockArrivals(engine, run)
  const known = yield* readQuestion(engine, runId, question.questionId)
  if (known !== null) return { kind: 'exists', question: known, arrival: null }
  const last = (yield* rowOf(lastPosition({ runId }), LAST))?.last ?? -1
  const { questionId, isSpotCheck, samplingKey = null, samplingRate = null } = question
  const row = { runId, questionId, question: question.question, position: last + 1, status: 'pending' as const }
  const number = numbered(question.counted)
  const sampled = { isSpotCheck: flag(isSpotCheck), samplingKey, samplingRate: rateTextOf(samplingRate) }
  yield* affectedBy(insert({ ...row, ...sampled, ...number }))
  return { kind: 'added', question: { ...row, isSpotCheck, samplingKey, samplingRate }, arrival: number.arrival }
}

/** A question that is to be added, and how its row begins. */
export interface NewRow {
  readonly question: NewQuestion
  readonly status: RunQuestion['status']
  /** Whether it is deferred by a suspension, so that the monitor does not count it. */
  readonly isSuspended: boolean
}

/** Arrivals of the questions that were added; one that the run has already is left out. Each id comes once. */
export function* addNewQuestions(
  engine: Engine,
  runId: string,
  added: readonly NewRow[],
): Steps<ReadonlyMap<string, Pick<AddedQuestion, 'arrival'>>> {
  const run = yield* rowOf(prepared(engine).run({ runId }), runRow)
  if (run === null) throw new StoreError('missing', `store: there is no run ${JSON.stringify(runId)}`)
  if (run.status !== 'open') throw new StoreError('invalid', `store: run ${runId} is done and takes no question`)
  const numbered = yield* lockArrivals(engine, run)
  const known = new Set<string>()
  for (const query of prepared(engine).known(added.map(({ question: { questionId } }) => ({ runId, questionId })))) {
    for (const { questionId } of yield* rowsOf(query, KNOWN)) known.add(questionId)
  }
  let position = (yield* rowOf(prepared(engine).lastPosition({ runId }), LAST))?.last ?? -1
  const rows = added
    .filter(({ question }) => !known.has(question.questionId))
    .map(({ question, status, isSuspended }) => {
      const { questionId, isSpotCheck, samplingKey = null, samplingRate = null } = question
      const number = numbered(question.counted)
      position += 1
      return {
        runId,
        questionId,
        question: question.question,
        position,
        status,
        isSpotCheck: flag(isSpotCheck),
        samplingKey,
        samplingRate: rateTextOf(samplingRate),
        ...number,
        rateMark: isSuspended && number.arrival !== null ? NOT_COUNTED : number.rateMark,
      }
    })
  yield* runAll(prepared(engine).insertRows(rows))
  return new Map(rows.map(({ questionId, arrival }) => [questionId, { arrival }]))
}

/** As the store keeps a probability. */
export function rateTextOf(rate: number | null): string | null {
  return rate === null ? null : String(rate)
}

const SAMPLED_QUESTION = z.object({ isSpotCheck: flagValue }).describe('question that was decided')
const KNOWN = z.object({ questionId: z.string() }).describe('question of a run')
const LAST = z.object({ last: integer.nullable() }).describe('last question')
const LAST_ARRIVAL = z.object({ arrival: integer, spotCheckRate: rateText }).describe('last arrival')

const LIVE = { kind: 'decide', isShadow: flag(false) } as const
const SAMPLED_COLUMNS = ['isSpotCheck', 'samplingKey', 'samplingRate'] as const
const ARRIVAL_COLUMNS = ['certificateId', 'arrival', 'arrivedAt', 'spotCheckRate', 'rateMark'] as const

const QUESTION_COLUMNS = [
  ...(['runId', 'questionId', 'question', 'position', 'status'] as const),
  ...SAMPLED_COLUMNS,
  ...ARRIVAL_COLUMNS,
]
type NewQuestionRow = Omit<Tables['runQuestions'], 'fence'>

/** Those that every question makes. */
const prepared = perEngine((queries) => ({
  run: preparedQuery(['runId'], ({ runId }: Pick<QuestionKey, 'runId'>) =>
    queries.selectFrom('runs').selectAll().where('id', '=', runId),
  ),
  question: preparedQuery(['runId', 'questionId'], ({ runId, questionId }: QuestionKey) =>
    queries.selectFrom('runQuestions').selectAll().where('runId', '=', runId).where('questionId', '=', questionId),
  ),
  decided: preparedQuery(['questionId'], ({ questionId }: Pick<QuestionKey, 'questionId'>) =>
    queries
      .selectFrom('runQuestions')
      .innerJoin('runs', 'runs.id', 'runQuestions.runId')
      .select('isSpotCheck')
      .where('questionId', '=', questionId)
      .where('runs.kind', '=', LIVE.kind)
      .where('runs.isShadow', '=', LIVE.isShadow),
  ),
  last: preparedQuery(['certificateId'], ({ certificateId }: { readonly certificateId: string }) =>
    queries
      .selectFrom('runQuestions')
      .select(['arrival', 'spotCheckRate'])
      .where('certificateId', '=', certificateId)
      .orderBy('arrival', 'desc')
      .limit(ONE),
  ),
  lastPosition: preparedQuery(['runId'], ({ runId }: Pick<QuestionKey, 'runId'>) =>
    queries
      .selectFrom('runQuestions')
      .select(({ fn }) => fn.max('position').as('last'))
      .where('runId', '=', runId),
  ),
  known: preparedRows(['runId', 'questionId'], (rows: readonly QuestionKey[]) =>
    queries
      .selectFrom('runQuestions')
      .select('questionId')
      .where('runId', '=', rows[0]?.runId ?? '')
      .where(
        'questionId',
        'in',
        rows.map(({ questionId }) => questionId),
      ),
  ),
  insert: preparedQuery(QUESTION_COLUMNS, (row: NewQuestionRow) =>
    queries.insertInto('runQuestions').values({ ...row, fence: null }),
  ),
  insertRows: preparedRows(QUESTION_COLUMNS, (rows: readonly NewQuestionRow[]) =>
    queries.insertInto('runQuestions').values(rows.map((row) => ({ ...row, fence: null }))),
  ),
}))

const spotCheckSchema = z
  .object({
    arrival: integer,
    arrivedAt: integer,
    status: questionStatusSchema,
    debatedAt: integer.nullable(),
    runId: z.string(),
    questionId: z.string(),
    ...joinedDecision,
    at: integer.nullable(),
    debateKind: integer.nullable(),
    groupName: z.string().nullable(),
    ...labelColumns,
  })
  .transform((row): SpotCheck => {
    const { arrival, arrivedAt, status, debatedAt, runId, questionId } = row
    const { decisionId: id, certificateId, kind, reason, answer, round, at, debateKind, groupName: group } = row
    const isDecided = id !== null && certificateId !== null && kind !== null && round !== null && at !== null
    const decision = isDecided ? { id, certificateId, kind, reason, answer, round, at, debateKind, group } : null
    const about = { arrival, arrivedAt, runId, questionId, status, debatedAt }
    return { ...about, decision, label: labelOfRow(row) }
  })
  .describe('spot check')

export interface SpotCheckPage {
  readonly certificateId: string
  readonly after: number
  readonly limit: number
}

export function* readSpotChecks(
  engine: Engine,
  { certificateId, after, limit }: SpotCheckPage,
): Steps<readonly SpotCheck[]> {
  return yield* rowsOf(spotChecksOf(engine)({ certificateId, after, limit: checkedLimit(limit) }), spotCheckSchema)
}

/** The monitor asks for them again and again. */
const spotChecksOf = perEngine((queries) =>
  preparedQuery(['certificateId', 'after', 'limit'], ({ certificateId, after, limit }: Row<SpotCheckPage>) =>
    queries
      .selectFrom('runQuestions as question')
      .leftJoin('decisions as decision', (join) =>
        join.onRef('decision.runId', '=', 'question.runId').onRef('decision.questionId', '=', 'question.questionId'),
      )
      .leftJoin('debates as debate', (join) =>
        join.onRef('debate.runId', '=', 'question.runId').onRef('debate.questionId', '=', 'question.questionId'),
      )
      .leftJoin('labels as label', (join) => join.on(finalLabel))
      .select(['question.arrival', 'question.arrivedAt', 'question.runId', 'question.questionId'])
      .select(['question.status', 'debate.at as debatedAt', 'decision.id as decisionId', 'decision.certificateId'])
      .select(['decision.kind', 'decision.reason', 'decision.answer', 'decision.round', 'decision.at'])
      .select(['decision.debateKind', 'debate.groupName'])
      .select(['gold', 'verdict', 'source', 'label.at as labelledAt'])
      .where('question.certificateId', '=', certificateId)
      .where('question.isSpotCheck', '=', 1)
      .where('question.arrival', '>', after)
      .orderBy('question.arrival')
      .limit(limit),
  ),
)

/** A type, not an interface, as prepared queries take values by their names. */
type Row<Values> = { readonly [Name in keyof Values]: Values[Name] }

const markSchema = z
  .object({ arrival: integer, spotCheckRate: rateText, rateMark: integer.nullable() })
  .describe('rate of spotChecks')

/** Only marked arrivals are read: there may be millions between them. */
export function* readRates(
  { queries }: Engine,
  { certificateId, after }: { readonly certificateId: string; readonly after: number },
): Steps<readonly RateChange[]> {
  const arrived = queries
    .selectFrom('runQuestions')
    .select(['arrival', 'spotCheckRate', 'rateMark'])
    .where('certificateId', '=', certificateId)
  const first = yield* rowsOf(arrived.where('arrival', '=', after + 1), markSchema)
  const marked = arrived.where('rateMark', 'is not', null).where('arrival', '>', after + 1)
  const changes: RateChange[] = []
  for (const { arrival, spotCheckRate, rateMark } of [
    ...first,
    ...(yield* rowsOf(marked.orderBy('arrival'), markSchema)),
  ]) {
    if (changes.at(-1)?.from === arrival) changes.pop()
    if (rateMark === NOT_COUNTED)
      changes.push({ from: arrival, spotCheckRate: 0 }, { from: arrival + 1, spotCheckRate })
    else changes.push({ from: arrival, spotCheckRate })
  }
  return changes.filter((change, at) => change.spotCheckRate !== changes[at - 1]?.spotCheckRate)
}
