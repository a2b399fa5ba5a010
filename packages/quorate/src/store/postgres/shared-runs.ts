import type { RawBuilder } from 'kysely'
import type { Pool } from 'pg'
import { z } from 'zod'
import type { QuestionKey } from '../../record/question.ts'
import { StoreError } from '../../record/store-error.ts'
import { loseOpen, loseOpenStatement } from '../calls/call-store.ts'
import { readSpend } from '../calls/spend.ts'
import { checkedLimit } from '../checked-input.ts'
import { appendEntry } from '../decisions/ledger-store.ts'
import type { Engine } from '../engine.ts'
import { affectedBy, rowOf, rowsOf, type Steps } from '../operation.ts'
import { preparedQuery } from '../prepared-query.ts'
import { integer, jsonText } from '../row-schemas.ts'
import { runQuestionRow } from '../runs/run-rows.ts'
import { createRun } from '../runs/run-store.ts'
import { setFence, UNLEASED } from '../runs/write-admission.ts'
import type { JobDatabase, SharedRunStore, SharedTerms, Taken } from '../shared-store.ts'
import type { Millis } from '../store.ts'
import { inTransaction } from './postgres-engine.ts'
import { storeErrorOfPostgres } from './postgres-errors.ts'
import { DATABASE_NOW } from './postgres-queries.ts'

const sharedSchema = z
  .object({
    runId: z.string(),
    createdAt: integer,
    options: jsonText,
    halt: z.enum(['spend-cap', 'stopped', 'refused', 'unreachable', 'unreadable']).nullable(),
    haltWords: z.string().nullable(),
    capMicroUsd: integer.nullable(),
    committedMicroUsd: integer,
    reservedMicroUsd: integer,
    openCalls: integer,
  })
  .describe('shared run')

const ownedSchema = z.object({ id: z.string() }).describe('run of one process')

const pendingSchema = z.object({ position: integer }).describe('pending question')

/** `fixedPlans` plans each of its statements once. */
export function createSharedRunStore(engine: Engine, fixedPlans: Engine, pool: Pool, place: string): SharedRunStore {
  const { queries } = engine
  const takeUnleased = preparedQuery(['runId', 'questionId', 'fence'], (lease: Omit<QuestionLease, 'at'>) =>
    leaseStatement(fixedPlans, lease).where('fence', '=', UNLEASED).returningAll(),
  )
  const found = (runId: string) => queries.selectFrom('sharedRuns').selectAll().where('runId', '=', runId)
  const pending = (runId: string) =>
    rowOf(
      queries
        .selectFrom('runQuestions')
        .select('position')
        .where('runId', '=', runId)
        .where('status', '=', 'pending')
        .limit(1),
      pendingSchema,
    )
  /** Runs our steps, and then writes the jobs over the same connection. */
  const inOneCommit = async <Result>(
    steps: () => Steps<Result>,
    enqueue: (database: JobDatabase) => Promise<void>,
  ): Promise<Result> => {
    try {
      return await inTransaction(pool, steps, { finish: enqueue })
    } catch (error) {
      throw storeErrorOfPostgres(error, place)
    }
  }
  return {
    async create({ run, shared, questions, entry, enqueue }) {
      await inOneCommit(function* () {
        yield* createRun(engine, run, questions, UNLEASED)
        yield* appendEntry(engine, entry)
        yield* affectedBy(queries.insertInto('sharedRuns').values({ ...NOTHING_SPENT, ...shared, runId: run.id }))
      }, enqueue)
    },
    share: ({ runId, shared, at, enqueue }) => inOneCommit(() => share(engine, runId, shared, at), enqueue),
    find: (runId) => engine.read(() => rowOf(found(runId), sharedSchema)),
    isOwned: async (runId) => {
      const owned = queries.selectFrom('runs').select('id').where('id', '=', runId).where('fence', 'is not', null)
      return (await engine.read(() => rowOf(owned, ownedSchema))) !== null
    },
    open: (limit, { after = '', isFree = false } = {}) => {
      const query = queries.selectFrom('sharedRuns').innerJoin('runs', 'runs.id', 'sharedRuns.runId')
      const notDone = query.selectAll('sharedRuns').where('runs.status', '=', 'open').where('runId', '>', after)
      const asked = isFree ? notDone.where('runs.fence', 'is', null) : notDone
      return engine.read(() => rowsOf(asked.orderBy('runId').limit(checkedLimit(limit)), sharedSchema))
    },
    async take(runId, questionId, { fence, at }) {
      // Usually no worker has leased the question before, so no calls are open and one statement is enough.
      const question = await fixedPlans.read(() => rowOf(takeUnleased({ runId, questionId, fence }), runQuestionRow))
      if (question !== null) return { question, lostCalls: 0 }
      return fixedPlans.write(() => take(fixedPlans, { runId, questionId, fence, at }))
    },
    giveUp: (runId, questionId, fence) => engine.write(() => giveUp(engine, { runId, questionId }, fence)),
    hasPending: async (runId) => (await engine.read(() => pending(runId))) !== null,
    halt: async (runId, reason, { questionId, fence, words = null }) => {
      const owned = queries
        .selectFrom('runQuestions')
        .select('position')
        .where('runId', '=', runId)
        .where('questionId', '=', questionId)
        .where('fence', '=', fence)
      const run = queries.updateTable('sharedRuns').set({ halt: reason, haltWords: words }).where('runId', '=', runId)
      return (await engine.writeOne(run.where(({ exists }) => exists(owned)))) > 0
    },
    stop: async (runId) => {
      const open = queries.selectFrom('runs').select('id').where('id', '=', runId).where('status', '=', 'open')
      const run = queries.updateTable('sharedRuns').set({ halt: 'stopped', haltWords: null }).where('runId', '=', runId)
      return (await engine.writeOne(run.where(({ exists }) => exists(open)))) > 0
    },
    close: (runId, entry) =>
      engine.write(function* () {
        const open = queries.updateTable('runs').set({ status: 'done' }).where('id', '=', runId)
        if ((yield* affectedBy(open.where('status', '=', 'open').where('fence', 'is', null))) === 0) return false
        if ((yield* pending(runId)) !== null) throw new StoreError('busy', `store: run ${runId} has questions again`)
        yield* appendEntry(engine, entry)
        return true
      }),
  }
}

const NOTHING_SPENT = { halt: null, haltWords: null, committedMicroUsd: 0, reservedMicroUsd: 0, openCalls: 0 }

/** Sums up the spend again from all calls, including archived ones. None of them is open by then. */
function* share(engine: Engine, runId: string, shared: SharedTerms, at: Millis): Steps<{ readonly lostCalls: number }> {
  const { queries } = engine
  yield* setFence(engine, runId, null)
  const lostCalls = yield* loseOpen(engine, { runId, fence: '', at })
  const { committedMicroUsd, reservedMicroUsd } = yield* readSpend(engine, runId)
  const spent = { committedMicroUsd, reservedMicroUsd, openCalls: 0, halt: null, haltWords: null }
  yield* affectedBy(
    queries
      .insertInto('sharedRuns')
      .values({ ...shared, ...spent, runId })
      .onConflict((conflict) => conflict.column('runId').doUpdateSet({ ...shared, ...spent })),
  )
  yield* affectedBy(queries.updateTable('runs').set({ status: 'open' }).where('id', '=', runId))
  return { lostCalls }
}

/** A worker's lease of a question. A type, because an interface is not assignable to the values of a prepared query. */
type QuestionLease = {
  readonly runId: string
  readonly questionId: string
  readonly fence: string
  readonly at: Millis
}

/** The run, if workers share it and no single process owns it. */
function freeRun(queries: Engine['queries'], runId: string) {
  return queries
    .selectFrom('runs')
    .innerJoin('sharedRuns', 'sharedRuns.runId', 'runs.id')
    .select('id')
    .where('id', '=', runId)
    .where('runs.fence', 'is', null)
}

function leaseStatement({ queries }: Engine, { runId, questionId, fence }: Omit<QuestionLease, 'at'>) {
  return queries
    .updateTable('runQuestions')
    .set({ fence })
    .where('runId', '=', runId)
    .where('questionId', '=', questionId)
    .where('status', '=', 'pending')
    .where(({ exists }) => exists(freeRun(queries, runId).where('halt', 'is', null)))
}

function* take(engine: Engine, lease: QuestionLease): Steps<Taken | null> {
  const question = yield* rowOf(leaseStatement(engine, lease).returningAll(), runQuestionRow)
  if (question === null) return null
  return { question, lostCalls: yield* loseOtherCalls(engine, lease) }
}

const lostSchema = z.object({ reservedMicroUsd: integer.nullable() }).describe('lost call')

/** Sets the open calls of other fences to `lost`, so they are no longer in flight. Returns their number. */
function* loseOtherCalls(
  engine: Engine,
  { runId, questionId, fence, at }: Omit<QuestionLease, 'at'> & { readonly at: Millis | RawBuilder<number> },
): Steps<number> {
  const losing = loseOpenStatement(engine, { runId, questionId, fence, at })
  const lost = yield* rowsOf(losing.returning('reservedMicroUsd'), lostSchema)
  const counted = lost.filter(({ reservedMicroUsd }) => (reservedMicroUsd ?? 0) > 0).length
  if (counted > 0) {
    const budget = engine.queries
      .updateTable('sharedRuns')
      .where('runId', '=', runId)
      .where('capMicroUsd', 'is not', null)
    yield* affectedBy(budget.set(({ eb }) => ({ openCalls: eb('openCalls', '-', counted) })))
  }
  return lost.length
}

function* giveUp(engine: Engine, { runId, questionId }: QuestionKey, fence: string | null): Steps<void> {
  const { queries } = engine
  const pending = queries
    .updateTable('runQuestions')
    .set({ status: 'error' })
    .where('runId', '=', runId)
    .where('questionId', '=', questionId)
    .where('status', '=', 'pending')
    .where(({ exists }) => exists(freeRun(queries, runId)))
  const changed = yield* affectedBy(fence === null ? pending : pending.where('fence', '=', fence))
  if (changed > 0) yield* loseOtherCalls(engine, { runId, questionId, fence: UNLEASED, at: DATABASE_NOW })
}
