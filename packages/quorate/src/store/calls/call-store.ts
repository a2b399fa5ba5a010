import type { RawBuilder, SelectQueryBuilder } from 'kysely'
import { z } from 'zod'
import { callSchema as callRecord } from '../../record/call.ts'
import { StoreError } from '../../record/store-error.ts'
import { checkedLimit, storableText } from '../checked-input.ts'
import type { Engine } from '../engine.ts'
import { affectedBy, rowOf, rowsOf, type Steps } from '../operation.ts'
import { preparedQuery } from '../prepared-query.ts'
import { flagValue, integer, jsonText } from '../row-schemas.ts'
import { ERASED } from '../runs/redact.ts'
import { admitCall, admitOutcome, setFence } from '../runs/write-admission.ts'
import { flag, type Tables } from '../schema.ts'
import type { CallOutcome, CallPlace, CallState, CallStore, Intent } from '../store.ts'
import { hasNewCalls, keepSums, moveOut, readSpend } from './spend.ts'

export const callSchema = callRecord.extend({ isReminder: flagValue, reply: jsonText.nullable() }).describe('call')

const countSchema = z.object({ count: integer }).describe('count of calls')

export function createCallStore(engine: Engine): CallStore {
  const { queries } = engine
  const prepared = preparedQueries(queries)
  return {
    async open(intent) {
      const row = { ...intent, isReminder: flag(intent.isReminder), ...NO_OUTCOME, state: 'open' as const }
      const opened = await engine.write(function* () {
        yield* admitCall(engine, intent)
        return yield* affectedBy(prepared.open(row))
      })
      if (opened > 0) return 'opened'
      throw openedBefore(intent)
    },
    close: (call, state, outcome) =>
      engine.write(function* () {
        const admission = yield* admitOutcome(engine, call)
        if (admission === null) return false
        const stored = storedOutcome(state, outcome)
        const { id, runId, fence } = call
        const row = { id, runId, fence, state, ...(admission.isErased ? erasedOutcome(stored) : stored) }
        return (yield* affectedBy(prepared.close(row))) > 0
      }),
    find: (runId, id) => {
      const query = queries.selectFrom('calls').selectAll().where('runId', '=', runId).where('id', '=', id)
      return engine.read(() => rowOf(query, callSchema))
    },
    before: (runId, place, cacheKey) =>
      engine.read(function* () {
        const row = placeRow(runId, place)
        const attempts = (yield* rowOf(prepared.attempts(row), countSchema))?.count ?? 0
        const answered = attempts === 0 ? null : yield* rowOf(prepared.answered(row), callSchema)
        const cached = answered === null ? yield* rowOf(prepared.cached({ cacheKey }), callSchema) : null
        return { attempts, answered, cached }
      }),
    takeOver: (runId, fence, at) =>
      engine.write(function* () {
        yield* setFence(engine, runId, fence)
        return yield* loseOpen(engine, { runId, fence, at })
      }),
    spend: (runId) => engine.read(() => readSpend(engine, runId)),
    keepSums: async (runId, fewest) => {
      // Most runs have nothing new, which is not worth a transaction.
      if (!(await engine.read(() => hasNewCalls(engine, runId, fewest)))) return false
      return engine.write(() => keepSums(engine, runId))
    },
    moveOut: (runId, upTo, archived) => engine.write(() => moveOut(engine, runId, upTo, archived)),
    list: async (runId, { after, limit }) => {
      const query = queries.selectFrom('calls').selectAll().where('runId', '=', runId)
      const page = (after === null ? query : query.where('id', '>', after)).orderBy('id').limit(checkedLimit(limit))
      return engine.read(() => rowsOf(page, callSchema))
    },
  }
}

interface OpenCalls {
  readonly runId: string
  /** Absent: all questions of the run. */
  readonly questionId?: string
  /** Calls of this fence stay open. */
  readonly fence: string
  readonly at: number | RawBuilder<number>
}

/** Sets open calls of other fences to `lost`, and returns their number. */
export function loseOpen(engine: Engine, calls: OpenCalls): Steps<number> {
  return affectedBy(loseOpenStatement(engine, calls))
}

export function loseOpenStatement({ queries }: Engine, { runId, questionId, fence, at }: OpenCalls) {
  const error = 'the process ended before it stored the reply'
  const ofRun = queries.updateTable('calls').set({ state: 'lost', at, error }).where('runId', '=', runId)
  const ofQuestion = questionId === undefined ? ofRun : ofRun.where('questionId', '=', questionId)
  return ofQuestion.where('state', '=', 'open').where('fence', '!=', fence)
}

/** Names the call so that a person can find it. */
export function openedBefore({ id, questionId, agent, round, repeat, isReminder, attempt }: Intent): StoreError {
  const place = JSON.stringify([questionId, agent, round, repeat, isReminder, attempt])
  return new StoreError('exists', `store: the call ${place} was opened before (id ${id})`)
}

/** The outcome of a call whose question is erased. */
function erasedOutcome(outcome: CallOutcome): CallOutcome {
  return { ...outcome, reply: null, error: outcome.error === null ? null : ERASED }
}

/** The outcome as it is stored. Only an answered call has a reply and a cost. */
export function storedOutcome(state: Exclude<CallState, 'open'>, { at, error, ...answer }: CallOutcome): CallOutcome {
  const words = error === null ? null : storableText(error)
  if (state === 'answered') return { at, ...answer, error: words }
  return { at, reply: null, inputTokens: null, outputTokens: null, costMicroUsd: null, error: words }
}

const NO_OUTCOME = Object.freeze({
  at: null,
  reply: null,
  inputTokens: null,
  outputTokens: null,
  costMicroUsd: null,
  error: null,
})

type CallRow = Tables['calls']
type PlaceRow = Pick<CallRow, (typeof PLACE)[number]>
const PLACE = ['runId', 'questionId', 'agent', 'round', 'repeat', 'isReminder'] as const
const OUTCOME = ['at', 'reply', 'inputTokens', 'outputTokens', 'costMicroUsd', 'error'] as const
const CLOSING = ['id', 'runId', 'fence', 'state', ...OUTCOME] as const

/** The queries that every call runs. */
function preparedQueries(queries: Engine['queries']) {
  return {
    open: preparedQuery(callSchema.keyof().options, (row: CallRow) =>
      queries
        .insertInto('calls')
        .values(row)
        .onConflict((conflict) => conflict.doNothing()),
    ),
    close: preparedQuery(CLOSING, ({ id, runId, fence, ...set }: Pick<CallRow, (typeof CLOSING)[number]>) =>
      queries
        .updateTable('calls')
        .set(set)
        .where('runId', '=', runId)
        .where('id', '=', id)
        .where('fence', '=', fence)
        .where('state', '=', 'open'),
    ),
    answered: preparedQuery(PLACE, (place: PlaceRow) => answeredCalls(placed(queries, place)).limit(1)),
    cached: preparedQuery(['cacheKey'], ({ cacheKey }: { readonly cacheKey: string }) =>
      answeredCalls(queries.selectFrom('calls').where('cacheKey', '=', cacheKey))
        .orderBy('id', 'desc')
        .limit(1),
    ),
    attempts: preparedQuery(PLACE, (place: PlaceRow) =>
      placed(queries, place).select(({ fn }) => fn.countAll().as('count')),
    ),
  }
}

type CallsQuery = SelectQueryBuilder<Tables, 'calls', unknown>

function answeredCalls(calls: CallsQuery) {
  return calls.selectAll().where('state', '=', 'answered').where('reply', 'is not', null)
}

function placed(queries: Engine['queries'], place: PlaceRow): CallsQuery {
  let query: CallsQuery = queries.selectFrom('calls')
  for (const column of PLACE) query = query.where(column, '=', place[column])
  return query
}

function placeRow(runId: string, { questionId, agent, round, repeat, isReminder }: CallPlace): PlaceRow {
  return { runId, questionId, agent, round, repeat, isReminder: flag(isReminder) }
}
