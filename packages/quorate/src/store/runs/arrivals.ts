import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import type { QuestionKey } from '../../record/question.ts'
import { StoreError } from '../../record/store-error.ts'
import type { AddedQuestion } from '../decisions/settlement.ts'
import type { Engine } from '../engine.ts'
import { rowOf, rowsOf, runAll, type Steps, take, together } from '../operation.ts'
import { perEngine } from '../per-engine.ts'
import { preparedQuery, preparedRows } from '../prepared-query.ts'
import { flagValue, integer } from '../row-schemas.ts'
import { flag, type Tables } from '../schema.ts'
import type { NewQuestion, Run, RunQuestion } from '../store.ts'
import { rateText, runQuestionRow, runRow } from './run-rows.ts'

/** The certificate for which the run's questions are counted; null: none, because the run may not act. */
function countedFor({ kind, isShadow, certificateId }: Run): string | null {
  return kind === 'decide' && !isShadow ? certificateId : null
}

/** Returns the arrival columns of the next question. */
type Numbering = (counted: NewQuestion['counted']) => Omit<Tables['runQuestions'], keyof RunQuestion | 'fence'>

/** Numbers questions of a run as they arrive. No other process can add one until the commit. */
export function* lockArrivals(engine: Engine, run: Run): Steps<Numbering> {
  const certificateId = countedFor(run)
  yield* take(engine.lock(ARRIVALS))
  const last = certificateId === null ? null : yield* rowOf(prepared(engine).last({ certificateId }), LAST_ARRIVAL)
  return numbering(certificateId, last)
}

/** The lock under which positions and arrivals are assigned. */
const ARRIVALS = 'arrivals'

function numbering(certificateId: string | null, before: z.infer<typeof LAST_ARRIVAL> | null): Numbering {
  let last = before
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
 * Shuffles questions that arrive together. Their file may be sorted, for example by subject, and monitors compare early
 * questions with late ones. The order is derived from the ids of run and question, so it can be reproduced.
 */
export function inOrderOfArrival<Question extends Pick<NewQuestion, 'questionId' | 'counted'>>(
  runId: string,
  questions: readonly Question[],
): readonly Question[] {
  if (!questions.some(({ counted = null }) => counted !== null)) return questions
  const keyed = questions.map((question) => ({
    question,
    key: hash('sha256', JSON.stringify(['arrival', runId, question.questionId])),
  }))
  return keyed.sort((left, right) => (left.key < right.key ? -1 : 1)).map(({ question }) => question)
}

/** Mark of an arrival that is the first of several with the same rate. */
const FIRST_OF_RATE = 1
/** Mark of an arrival that no longer counts, because the policy was suspended. */
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
  const [{ numbered, last }, known] = yield* together(
    lockPlaces(engine, runId),
    readQuestion(engine, runId, question.questionId),
  )
  if (known !== null) return { kind: 'exists', question: known, arrival: null }
  const { questionId, isSpotCheck, samplingKey = null, samplingRate = null } = question
  const row = { runId, questionId, question: question.question, position: last + 1, status: 'pending' as const }
  const number = numbered(question.counted)
  const sampled = { isSpotCheck: flag(isSpotCheck), samplingKey, samplingRate: rateTextOf(samplingRate) }
  yield* runAll([prepared(engine).insert({ ...row, ...sampled, ...number })])
  return { kind: 'added', question: { ...row, isSpotCheck, samplingKey, samplingRate }, arrival: number.arrival }
}

/** Where the next question of a run goes. No other process can add one until the commit. */
interface Places {
  readonly numbered: Numbering
  /** Position of the last question; -1: there is none. */
  readonly last: number
}

function* lockPlaces(engine: Engine, runId: string): Steps<Places> {
  yield* take(engine.lock(ARRIVALS))
  const { run: ofRun, lastOfRun, lastPosition } = prepared(engine)
  const [run, arrival, position] = yield* together(
    rowOf(ofRun({ runId }), runRow),
    rowOf(lastOfRun({ runId }), LAST_ARRIVAL),
    rowOf(lastPosition({ runId }), LAST),
  )
  if (run === null) throw new StoreError('missing', `store: there is no run ${JSON.stringify(runId)}`)
  if (run.status !== 'open') throw new StoreError('invalid', `store: run ${runId} is done and takes no question`)
  return { numbered: numbering(countedFor(run), arrival), last: position?.last ?? -1 }
}

/** Like `lockPlaces`, and also returns which of these questions the run already has. */
export function* lockPlacesOf(
  engine: Engine,
  runId: string,
  questionIds: readonly string[],
): Steps<Places & { readonly known: ReadonlySet<string> }> {
  const ids =
    engine.name === 'postgres'
      ? [knownAtOnce(engine)({ runId, questionIds })]
      : prepared(engine).known(questionIds.map((questionId) => ({ runId, questionId })))
  const [places, ...known] = yield* together<readonly [Places, ...(readonly z.infer<typeof KNOWN>[])[]]>(
    lockPlaces(engine, runId),
    ...ids.map((query) => rowsOf(query, KNOWN)),
  )
  return { ...places, known: new Set(known.flat().map(({ questionId }) => questionId)) }
}

/** A question to be added, with its first status. */
export interface NewRow {
  readonly question: NewQuestion
  readonly status: RunQuestion['status']
  /** True: it is deferred because the policy is suspended, so the monitor does not count it. */
  readonly isSuspended: boolean
}

/** Adds questions that the run does not have, each id once, and returns their arrivals. */
export function* addNewQuestions(
  engine: Engine,
  runId: string,
  added: readonly NewRow[],
  { numbered, last }: Places,
): Steps<ReadonlyMap<string, { readonly arrival: number | null }>> {
  let position = last
  const rows = added.map(({ question, status, isSuspended }) => {
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

/** A probability as the store keeps it: text, which keeps every digit. */
export function rateTextOf(rate: number | null): string | null {
  return rate === null ? null : String(rate)
}

const SAMPLED_QUESTION = z.object({ isSpotCheck: flagValue }).describe('question that was decided')
const KNOWN = z.object({ questionId: z.string() }).describe('question of a run')
const LAST = z.object({ last: integer }).describe('last question')
const LAST_ARRIVAL = z.object({ arrival: integer, spotCheckRate: rateText }).describe('last arrival')

const QUESTION_COLUMNS = [
  'runId',
  'questionId',
  'question',
  'position',
  'status',
  'isSpotCheck',
  'samplingKey',
  'samplingRate',
  'certificateId',
  'arrival',
  'arrivedAt',
  'spotCheckRate',
  'rateMark',
] as const
type NewQuestionRow = Omit<Tables['runQuestions'], 'fence'>

/** The queries that every question runs. */
const prepared = perEngine((queries) => ({
  run: preparedQuery(['runId'], ({ runId }: { readonly runId: string }) =>
    queries.selectFrom('runs').selectAll().where('id', '=', runId),
  ),
  question: preparedQuery(['runId', 'questionId'], ({ runId, questionId }: QuestionKey) =>
    queries.selectFrom('runQuestions').selectAll().where('runId', '=', runId).where('questionId', '=', questionId),
  ),
  decided: preparedQuery(['questionId'], ({ questionId }: { readonly questionId: string }) =>
    queries
      .selectFrom('runQuestions')
      .innerJoin('runs', 'runs.id', 'runQuestions.runId')
      .select('isSpotCheck')
      .where('questionId', '=', questionId)
      .where('runs.kind', '=', 'decide')
      .where('runs.isShadow', '=', flag(false)),
  ),
  last: preparedQuery(['certificateId'], ({ certificateId }: { readonly certificateId: string }) =>
    queries
      .selectFrom('runQuestions')
      .select(['arrival', 'spotCheckRate'])
      .where('certificateId', '=', certificateId)
      .orderBy('arrival', 'desc')
      .limit(1),
  ),
  // Finds the certificate by a subquery, so that the run need not be read first.
  lastOfRun: preparedQuery(['runId'], ({ runId }: { readonly runId: string }) =>
    queries
      .selectFrom('runQuestions')
      .select(['arrival', 'spotCheckRate'])
      .where('certificateId', '=', ({ selectFrom }) =>
        selectFrom('runs').select('certificateId').where('id', '=', runId),
      )
      .orderBy('arrival', 'desc')
      .limit(1),
  ),
  lastPosition: preparedQuery(['runId'], ({ runId }: { readonly runId: string }) =>
    queries
      .selectFrom('runQuestions')
      .select('position as last')
      .where('runId', '=', runId)
      // Ordered like the key. For a maximum, a planner without statistics would scan all questions of the run.
      .orderBy('runId', 'desc')
      .orderBy('position', 'desc')
      .limit(1),
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

/**
 * Looks up each id by its whole key. With an IN list, a planner whose statistics are older than the run would scan all of its
 * questions.
 */
const knownAtOnce = perEngine((queries) =>
  preparedQuery(
    ['runId', 'questionIds'],
    ({ runId, questionIds }: { readonly runId: string; readonly questionIds: readonly string[] }) => ({
      compile: () =>
        sql`select asked.question_id from unnest(${questionIds}::text[]) as asked (question_id)
          cross join lateral (
            select 1 from run_questions known where known.run_id = ${runId} and known.question_id = asked.question_id limit 1
          ) known`.compile(queries),
    }),
  ),
)
