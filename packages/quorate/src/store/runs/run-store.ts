import { sql } from 'kysely'
import { z } from 'zod'
import { questionStatusSchema } from '../../record/run.ts'
import { StoreError } from '../../record/store-error.ts'
import { checkedLimit } from '../checked-input.ts'
import { takeNumbers } from '../counters.ts'
import { appendEntry } from '../decisions/ledger-store.ts'
import type { Engine } from '../engine.ts'
import { affectedBy, rowOf, rowsOf, type Steps } from '../operation.ts'
import { hiddenQuestions, isHiddenAt } from '../reviews/hidden-questions.ts'
import { integer, ROWS_AT_ONCE } from '../row-schemas.ts'
import { flag } from '../schema.ts'
import type { QuestionProgress } from '../shared-store.ts'
import type {
  FiguresAt,
  LedgerEntry,
  Millis,
  NewRun,
  NewRunQuestion,
  QuestionStatus,
  RunFigures,
  RunStore,
  SamplingKey,
} from '../store.ts'
import {
  addQuestion,
  inOrderOfArrival,
  lastArrival,
  lockArrivals,
  NOT_COUNTED,
  rateTextOf,
  readQuestion,
  wasSampled,
} from './arrivals.ts'
import { finalLabel } from './latest-label.ts'
import { missingQuestion, runQuestionRow, runRow, samplingKeyRow } from './run-rows.ts'
import { readRates, readSpotChecks } from './spot-checks.ts'
import { admitResult, UNLEASED } from './write-admission.ts'

const lastKeySchema = z.object({ samplingKey: integer.nullable() }).describe('last sampling key')
const countSchema = z.object({ status: questionStatusSchema, count: integer }).describe('count of questions')

export function createRunStore(engine: Engine): RunStore {
  const { queries } = engine
  return {
    create: (run, questions, fence) =>
      engine.write(() => createRun(engine, fence === undefined ? run : { ...run, fence }, questions)),
    find: (id) => engine.read(() => rowOf(queries.selectFrom('runs').selectAll().where('id', '=', id), runRow)),
    latest: ({ configHash, questionsHash, kind }) => {
      const query = queries
        .selectFrom('runs')
        .selectAll()
        .where('configHash', '=', configHash)
        .where('questionsHash', '=', questionsHash)
        .where('kind', '=', kind)
        .orderBy('sequence', 'desc')
        .limit(1)
      return engine.read(() => rowOf(query, runRow))
    },
    list: async (limit, before) => {
      const query = queries.selectFrom('runs').selectAll().orderBy('id', 'desc').limit(checkedLimit(limit))
      return engine.read(() => rowsOf(before === undefined ? query : query.where('id', '<', before), runRow))
    },
    questions: async (runId, { after, limit, status }) => {
      const query = queries
        .selectFrom('runQuestions')
        .selectAll()
        .where('runId', '=', runId)
        .where('position', '>', after)
        .orderBy('position')
        .limit(checkedLimit(limit))
      const filtered = status === undefined ? query : query.where('status', '=', status)
      return engine.read(() => rowsOf(filtered, runQuestionRow))
    },
    findQuestion: (runId, questionId) => engine.read(() => readQuestion(engine, runId, questionId)),
    async withText(prefix) {
      const query = queries
        .selectFrom('runQuestions')
        .select('questionId')
        .distinct()
        .where('questionId', '>=', prefix)
        // Text is ordered by code point, and this is the last one.
        .where('questionId', '<', `${prefix}\u{10FFFF}\u{10FFFF}`)
        .where('question', 'is not', null)
      const found = await engine.read(() => rowsOf(query.orderBy('questionId'), z.object({ questionId: z.string() })))
      return found.map(({ questionId }) => questionId)
    },
    async asked(questionIds) {
      if (questionIds.length === 0) return []
      const query = queries.selectFrom('runQuestions').selectAll().where('questionId', 'in', questionIds)
      return engine.read(() => rowsOf(query, runQuestionRow))
    },
    async arrived(certificateId, questionIds) {
      if (questionIds.length === 0) return []
      const query = queries
        .selectFrom('runQuestions')
        .selectAll()
        .where('certificateId', '=', certificateId)
        .where('questionId', 'in', questionIds)
        .where((row) => row.or([row('rateMark', 'is', null), row('rateMark', '!=', NOT_COUNTED)]))
      return engine.read(() => rowsOf(query, runQuestionRow))
    },
    wasSampled: (questionId) => engine.read(() => wasSampled(engine, questionId)),
    addQuestion: (runId, question) => engine.write(() => addQuestion(engine, runId, question)),
    spotChecks: (page) => engine.read(() => readSpotChecks(engine, page)),
    arrivals: (certificateId) => engine.read(() => lastArrival(engine, certificateId)),
    rates: (of) => engine.read(() => readRates(engine, of)),
    setQuestion: (runId, questionId, status, fence) =>
      engine.write(function* () {
        yield* admitResult(engine, { runId, questionId }, fence)
        const found = yield* readQuestion(engine, runId, questionId)
        // The row is locked, so its status cannot change before this commit.
        if (found?.status !== 'done') yield* setStatus(engine, { runId, questionId, status })
      }),
    counts: (runId) => engine.read(() => counts(engine, runId)),
    figures: (runIds, at) => engine.read(() => readFigures(engine, runIds, at)),
    finish: async (runId) => {
      const changed = await engine.writeOne(queries.updateTable('runs').set({ status: 'done' }).where('id', '=', runId))
      if (changed === 0) throw new StoreError('missing', `store: there is no run ${JSON.stringify(runId)}`)
    },
    samplingKeys: (runId) => {
      const query = queries.selectFrom('samplingKeys').selectAll().where('runId', '=', runId).orderBy('number')
      return engine.read(() => rowsOf(query, samplingKeyRow))
    },
    lastSamplingKey: async (runId) => {
      const query = queries
        .selectFrom('runQuestions')
        .select('samplingKey')
        .where('runId', '=', runId)
        .orderBy('position', 'desc')
        .limit(1)
      return (await engine.read(() => rowOf(query, lastKeySchema)))?.samplingKey ?? null
    },
    addSamplingKey: (key, entry) => engine.write(() => addSamplingKey(engine, key, entry)),
  }
}

function* addSamplingKey(engine: Engine, key: SamplingKey, entry: LedgerEntry): Steps<boolean> {
  const query = engine.queries.insertInto('samplingKeys').values(key)
  if ((yield* affectedBy(query.onConflict((conflict) => conflict.doNothing()))) === 0) return false
  yield* appendEntry(engine, entry)
  return true
}

/** Writes the status of a question that must exist. */
export function* setStatus({ queries }: Engine, { runId, questionId, status }: QuestionProgress): Steps<void> {
  const unleased = queries
    .selectFrom('sharedRuns')
    .innerJoin('runs', 'runs.id', 'sharedRuns.runId')
    .select(sql.lit(UNLEASED).as('unleased'))
    .where('sharedRuns.runId', '=', runId)
    .where('runs.fence', 'is', null)
  const query = queries
    .updateTable('runQuestions')
    // A question that is asked again has no owner. In a run that workers share, it must be leased first.
    .set(status === 'pending' ? { status, fence: unleased } : { status })
    .where('runId', '=', runId)
    .where('questionId', '=', questionId)
  if ((yield* affectedBy(query)) > 0) return
  throw missingQuestion(runId, questionId)
}

export function* createRun(
  engine: Engine,
  { samplingKey = null, ...run }: NewRun & { readonly fence?: string },
  questions: readonly NewRunQuestion[],
  questionFence: string | null = null,
): Steps<void> {
  const { queries } = engine
  const inserted = yield* affectedBy(
    queries
      .insertInto('runs')
      .values({ ...run, isShadow: flag(run.isShadow), sequence: yield* takeNumbers(engine, 'runs', 1) })
      .onConflict((conflict) => conflict.doNothing()),
  )
  if (inserted === 0) throw new StoreError('exists', `store: run ${run.id} exists`)
  if (samplingKey !== null) {
    const first = { runId: run.id, number: 1, key: samplingKey, createdAt: run.createdAt }
    yield* affectedBy(queries.insertInto('samplingKeys').values(first))
  }
  if (questions.length === 0) return
  const numbered = yield* lockArrivals(engine, run)
  const numbers = new Map(inOrderOfArrival(run.id, questions).map((each) => [each, numbered(each.counted)] as const))
  for (let start = 0; start < questions.length; start += ROWS_AT_ONCE) {
    const rows = questions.slice(start, start + ROWS_AT_ONCE).map((each) => {
      const { counted: _, samplingKey: number = null, samplingRate = null, question: text, ...question } = each
      const sampled = {
        isSpotCheck: flag(question.isSpotCheck),
        samplingKey: number,
        samplingRate: rateTextOf(samplingRate),
      }
      const written = typeof text === 'function' ? text() : text
      const row = { ...question, question: written, ...sampled, runId: run.id, status: 'pending' as const }
      return { ...row, fence: questionFence, ...(numbers.get(each) ?? numbered(null)) }
    })
    const query = queries.insertInto('runQuestions').values(rows)
    const written = yield* affectedBy(query.onConflict((conflict) => conflict.doNothing()))
    if (written < rows.length) {
      throw new StoreError('exists', `store: run ${run.id}: two questions share an id or a position`)
    }
  }
}

function* counts({ queries }: Engine, runId: string): Steps<Readonly<Record<QuestionStatus, number>>> {
  const rows = yield* rowsOf(
    queries
      .selectFrom('runQuestions')
      .select(({ fn }) => ['status', fn.countAll().as('count')])
      .where('runId', '=', runId)
      .groupBy('status'),
    countSchema,
  )
  const none = { pending: 0, done: 0, 'agent-failure': 0, 'time-out': 0, error: 0 }
  return { ...none, ...Object.fromEntries(rows.map(({ status, count }) => [status, count])) }
}

const figureSchema = z
  .object({ runId: z.string(), name: z.string().nullable(), count: integer, hidden: integer })
  .describe('count of a run')

/** Runs three queries for all runs of a page: statuses, decisions and spot checks. */
function* readFigures(
  engine: Engine,
  runIds: readonly string[],
  { now, hides, undoMs }: FiguresAt,
): Steps<readonly RunFigures[]> {
  if (runIds.length === 0) return []
  const { queries } = engine
  const isHidden = hides ? isHiddenAt(now) : sql<boolean>`(1 = 0)`
  const hidden = sql<number>`sum(case when ${isHidden} then 1 else 0 end)`.as('hidden')
  const none = sql<number>`0`.as('hidden')
  const questions = queries.selectFrom('runQuestions as question').where('question.runId', 'in', runIds)
  const statuses = yield* rowsOf(
    questions
      .select(({ fn }) => ['question.runId', 'question.status as name', fn.countAll().as('count')])
      .select(none)
      .groupBy(['question.runId', 'question.status']),
    figureSchema,
  )
  const decided = queries
    .selectFrom('decisions as decision')
    .select(({ fn }) => ['decision.runId', 'decision.kind as name', fn.countAll<number>().as('count')])
    .select(none)
    .where('decision.runId', 'in', runIds)
    .groupBy(['decision.runId', 'decision.kind'])
  // One statement sees one state. Otherwise a decision could be counted as hidden but not as decided, revealing a spot check.
  const decisions = yield* rowsOf(
    hides ? decided.unionAll(hiddenDecisions(engine, runIds, now)) : decided,
    figureSchema,
  )
  const samples = yield* rowsOf(
    questions
      .leftJoin('labels as label', (join) =>
        join.on(finalLabel).on(sql<boolean>`(label.source = 'import' or label.at <= ${now - undoMs})`),
      )
      .where('question.isSpotCheck', '=', 1)
      .select(({ fn }) => ['question.runId', 'label.verdict as name', fn.countAll().as('count')])
      .select(hidden)
      .groupBy(['question.runId', 'label.verdict']),
    figureSchema,
  )
  return runIds.map((runId) => {
    const sum = (rows: typeof statuses, fits: (name: string | null) => boolean) =>
      rows
        .filter((row) => row.runId === runId && fits(row.name))
        .reduce((total, { count, hidden: left }) => total + count - left, 0)
    const ofRun = decisions.filter((row) => row.runId === runId)
    return {
      runId,
      questions: sum(statuses, () => true),
      pending: sum(statuses, (name) => name === 'pending'),
      failed: sum(statuses, (name) => name !== 'pending' && name !== 'done'),
      acted: sum(decisions, (name) => name === 'act'),
      deferred: sum(decisions, (name) => name === 'defer'),
      hidden: ofRun.reduce((total, row) => total + row.hidden, 0),
      sampled: sum(samples, () => true),
      labelled: sum(samples, (name) => name !== null),
    }
  })
}

/** Starts from what hides decisions, which is much less than all decisions. */
function hiddenDecisions({ queries }: Engine, runIds: readonly string[], now: Millis) {
  return queries
    .selectFrom(hiddenQuestions(runIds, now).as('item'))
    .innerJoin('decisions as decision', (join) =>
      join.onRef('decision.runId', '=', 'item.runId').onRef('decision.questionId', '=', 'item.questionId'),
    )
    .select(['decision.runId', 'decision.kind as name'])
    .select(sql<number>`0`.as('count'))
    .select(({ fn }) => fn.countAll<number>().as('hidden'))
    .where('decision.runId', 'in', runIds)
    .groupBy(['decision.runId', 'decision.kind'])
}
