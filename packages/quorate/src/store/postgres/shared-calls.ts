import { sql } from 'kysely'
import { z } from 'zod'
import { callSchema, createCallStore, written } from '../call-store.ts'
import type { Engine } from '../engine.ts'
import { rowOf, rowsOf } from '../operation.ts'
import { preparedQuery, type QueryValues } from '../prepared-query.ts'
import { ERASED } from '../redact.ts'
import { integer } from '../row-schemas.ts'
import { missingQuestion } from '../run-rows.ts'
import { flag } from '../schema.ts'
import type { CallStore, Intent } from '../store.ts'
import { StoreError } from '../store-error.ts'

/**
 * Calls of questions that workers hold one by one: what the other call store does in a transaction of several steps is one
 * statement here, which commits by itself. The row of the question is locked in it, so that whoever takes the question
 * over, or erases it, waits for the commit or is waited for. Money is counted in the same statement, where the run has a
 * cap.
 */
export function createSharedCallStore(engine: Engine): CallStore {
  const queries = statements(engine)
  return {
    ...createCallStore(engine),
    async open(intent) {
      const values = { ...intent, isReminder: flag(intent.isReminder), amount: intent.reservedMicroUsd ?? 0 }
      const found = await engine.read(() => rowOf(queries.open(values), openedSchema))
      return openedOf(found, intent)
    },
    async close(id, fence, state, outcome) {
      const { reply, error, ...numbers } = written(state, outcome)
      const values = { id, fence, state, reply, error, ...numbers }
      return (await engine.read(() => rowOf(queries.close(values), closedSchema)))?.closed === 1
    },
    async before(runId, place, cacheKey) {
      const values = { runId, ...place, isReminder: flag(place.isReminder), cacheKey }
      const rows = await engine.read(() => rowsOf(queries.before(values), beforeSchema))
      const own = rows.filter(({ isOwn }) => isOwn === 1)
      const isAnswered = ({ state, reply }: (typeof rows)[number]) => state === 'answered' && reply !== null
      return {
        attempts: own.length,
        answered: own.find(isAnswered) ?? null,
        cached: rows.find((row) => row.isOwn === 0) ?? null,
      }
    },
  }
}

const openedSchema = z
  .object({ held: integer, isErased: integer, isFree: integer, fits: integer, opened: integer })
  .describe('opened call')
const closedSchema = z.object({ closed: integer }).describe('closed call')
const beforeSchema = callSchema.extend({ isOwn: integer }).describe('earlier call')

function openedOf(found: z.infer<typeof openedSchema> | null, intent: Intent): 'opened' | 'over-cap' {
  const { runId, questionId } = intent
  if (found === null) throw missingQuestion(runId, questionId)
  if (found.held === 0) {
    throw new StoreError('fenced', `run ${runId}: the question was taken over by another worker; this one leaves it`)
  }
  if (found.isErased === 1) {
    throw new StoreError('erased', `store: run ${runId}: the text of ${JSON.stringify(questionId)} was erased`)
  }
  if (found.fits === 0) return 'over-cap'
  if (found.opened === 1) return 'opened'
  throw new StoreError('exists', `store: the call ${JSON.stringify(intent.key)} was opened before (id ${intent.id})`)
}

const INTENT = [
  ...['id', 'key', 'cacheKey', 'runId', 'questionId', 'agent', 'round', 'repeat', 'isReminder', 'attempt'],
  ...['model', 'reservedMicroUsd', 'fence', 'openedAt', 'amount'],
] as const
const CLOSING = [
  ...['id', 'fence', 'state', 'at', 'reply', 'inputTokens', 'outputTokens', 'costMicroUsd', 'error'],
] as const
const BEFORE = ['runId', 'questionId', 'agent', 'round', 'repeat', 'isReminder', 'cacheKey'] as const

function statements({ queries }: Engine) {
  const prepared = (names: readonly string[], build: (values: QueryValues) => ReturnType<typeof sql>) =>
    preparedQuery(names, (values: QueryValues) => ({ compile: () => build(values).compile(queries) }))
  return {
    open: prepared(INTENT, openStatement),
    close: prepared(CLOSING, closeStatement),
    before: prepared(BEFORE, beforeStatement),
  }
}

/** A place that is not held, or erased, or a cap that has no room, writes nothing. */
function openStatement(intent: QueryValues) {
  const value = (name: (typeof INTENT)[number]) => intent[name]
  return sql`
    with place as materialized (
      select coalesce(question.fence = ${value('fence')} and run.fence is null, false)::int::bigint as held,
        (question.question is null)::int::bigint as is_erased
      from run_questions question join runs run on run.id = question.run_id
      where question.run_id = ${value('runId')} and question.question_id = ${value('questionId')}
      for share of question
    ), spent as (
      update shared_runs set reserved_micro_usd = reserved_micro_usd + ${value('amount')}::bigint, open_calls = open_calls + 1
      where run_id = ${value('runId')} and cap_micro_usd is not null and ${value('amount')}::bigint > 0
        and committed_micro_usd + reserved_micro_usd + ${value('amount')}::bigint <= cap_micro_usd
        and exists (select from place where held = 1 and is_erased = 0)
        and not exists (select from calls where key = ${value('key')})
      returning run_id
    ), purse as (
      select (cap_micro_usd is null or ${value('amount')}::bigint = 0)::int::bigint as is_free
      from shared_runs where run_id = ${value('runId')}
    ), opened as (
      insert into calls (id, key, cache_key, run_id, question_id, agent, round, repeat, is_reminder, attempt, model,
        reserved_micro_usd, fence, opened_at, state)
      select ${value('id')}, ${value('key')}, ${value('cacheKey')}, ${value('runId')}, ${value('questionId')},
        ${value('agent')}, ${value('round')}::bigint, ${value('repeat')}::bigint, ${value('isReminder')}::bigint,
        ${value('attempt')}::bigint, ${value('model')}, ${value('reservedMicroUsd')}::bigint, ${value('fence')},
        ${value('openedAt')}::bigint, 'open'
      from place, purse
      where held = 1 and is_erased = 0 and (is_free = 1 or exists (select from spent))
      on conflict do nothing returning id
    )
    select held, is_erased, is_free, (is_free = 1 or exists (select from spent)
        or exists (select from calls where key = ${value('key')}))::int::bigint as fits,
      (select count(*) from opened) as opened
    from place, purse`
}

/** Nothing where the call is not open any more, or its question is somebody else's by now. */
function closeStatement(closing: QueryValues) {
  const value = (name: (typeof CLOSING)[number]) => closing[name]
  return sql`
    with place as materialized (
      select call.id, call.run_id, coalesce(call.reserved_micro_usd, 0) as reserved, question.question is null as erased
      from calls call
      join run_questions question on question.run_id = call.run_id and question.question_id = call.question_id
      join runs run on run.id = call.run_id
      where call.id = ${value('id')} and call.fence = ${value('fence')} and call.state = 'open'
        and question.fence = ${value('fence')} and run.fence is null
      for share of question
    ), closed as (
      update calls set state = ${value('state')}, at = ${value('at')}::bigint,
        reply = case when place.erased then null else ${value('reply')}::text end,
        input_tokens = ${value('inputTokens')}::bigint, output_tokens = ${value('outputTokens')}::bigint,
        cost_micro_usd = ${value('costMicroUsd')}::bigint,
        error = case when place.erased and ${value('error')}::text is not null then ${ERASED} else ${value('error')}::text end
      from place where calls.id = place.id and calls.state = 'open'
      returning place.run_id, place.reserved, calls.state, calls.cost_micro_usd
    ), counted as (
      update shared_runs set open_calls = open_calls - 1,
        committed_micro_usd = committed_micro_usd + coalesce(closed.cost_micro_usd, 0),
        reserved_micro_usd = reserved_micro_usd
          - case when closed.state = 'refused' or closed.cost_micro_usd is not null then closed.reserved else 0 end
      from closed
      where shared_runs.run_id = closed.run_id and cap_micro_usd is not null and closed.reserved > 0
    )
    select count(*) as closed from closed`
}

/** Attempts at the place, and the latest answer of any run to the same ask. */
function beforeStatement(asked: QueryValues) {
  const value = (name: (typeof BEFORE)[number]) => asked[name]
  return sql`
    (select calls.*, 1::bigint as is_own from calls
      where run_id = ${value('runId')} and question_id = ${value('questionId')} and agent = ${value('agent')}
        and round = ${value('round')} and repeat = ${value('repeat')} and is_reminder = ${value('isReminder')})
    union all
    (select calls.*, 0::bigint as is_own from calls
      where cache_key = ${value('cacheKey')} and state = 'answered' and reply is not null
      order by at desc, id desc limit 1)`
}
