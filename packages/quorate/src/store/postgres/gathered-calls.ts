import { sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { preparedQuery, type QueryValues } from '../prepared-query.ts'
import { ERASED } from '../runs/redact.ts'

export const LOOKUP_COLUMNS = ['runId', 'questionId', 'agent', 'round', 'repeat', 'isReminder', 'cacheKey'] as const
export const OPENED_COLUMNS = [
  'id',
  'cacheKey',
  'runId',
  'questionId',
  'agent',
  'round',
  'repeat',
  'isReminder',
  'attempt',
  'model',
  'reservedMicroUsd',
  'fence',
  'openedAt',
] as const
export const CLOSED_COLUMNS = [
  'id',
  'runId',
  'fence',
  'state',
  'reply',
  'error',
  'at',
  'inputTokens',
  'outputTokens',
  'costMicroUsd',
] as const

const INTEGER_COLUMNS: ReadonlySet<string> = new Set([
  'round',
  'repeat',
  'isReminder',
  'attempt',
  'reservedMicroUsd',
  'openedAt',
  'at',
  'inputTokens',
  'outputTokens',
  'costMicroUsd',
])

/** Statements for several calls at once. The value of each name is a list with one element for each call. */
export function gatheredStatements({ queries }: Engine) {
  const prepared = (names: readonly string[], build: (asked: ReturnType<typeof sql>) => ReturnType<typeof sql>) =>
    preparedQuery(names, (values: QueryValues) => ({ compile: () => build(listed(names, values)).compile(queries) }))
  return {
    before: prepared(LOOKUP_COLUMNS, beforeStatement),
    open: prepared(OPENED_COLUMNS, openStatement),
    close: prepared(CLOSED_COLUMNS, closeStatement),
  }
}

/** Turns the lists into a table with one row for each call, numbered from 1. */
function listed(names: readonly string[], values: QueryValues) {
  const lists = names.map((name) => sql`${values[name]}::${sql.raw(INTEGER_COLUMNS.has(name) ? 'bigint' : 'text')}[]`)
  const columns = names.map((name) => sql.raw(name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)))
  return sql`unnest(${sql.join(lists)}) with ordinality as asked (${sql.join(columns)}, number)`
}

/**
 * Reads the attempts at a place, and the latest answer of any run with the same cache key. The ordering makes the planner use
 * the index of places, which has this order, even if the statistics say that the table is empty.
 */
function beforeStatement(asked: ReturnType<typeof sql>) {
  return sql`
    select asked.number, earlier.* from ${asked} cross join lateral (
      (select calls.*, 1::bigint as is_own from calls
        where calls.run_id = asked.run_id and calls.question_id = asked.question_id and calls.agent = asked.agent
          and calls.round = asked.round and calls.repeat = asked.repeat and calls.is_reminder = asked.is_reminder
        order by attempt)
      union all
      (select calls.*, 0::bigint as is_own from calls
        where calls.cache_key = asked.cache_key and state = 'answered' and reply is not null
        order by id desc limit 1)
    ) earlier`
}

/** Opens no call if the fence does not own the question, if the question is erased, or if the run has a cap. */
function openStatement(asked: ReturnType<typeof sql>) {
  return sql`
    with place as materialized (
      select asked.*, coalesce(question.fence = asked.fence and run.fence is null, false) as is_owner,
        question.question is null as is_erased, shared.cap_micro_usd is null or coalesce(asked.reserved_micro_usd, 0) = 0 as is_free
      from ${asked}
      join run_questions question on question.run_id = asked.run_id and question.question_id = asked.question_id
      join runs run on run.id = asked.run_id
      join shared_runs shared on shared.run_id = asked.run_id
      for share of question
    ), opened as (
      insert into calls (id, cache_key, run_id, question_id, agent, round, repeat, is_reminder, attempt, model,
        reserved_micro_usd, fence, opened_at, state)
      select id, cache_key, run_id, question_id, agent, round, repeat, is_reminder, attempt, model,
        reserved_micro_usd, fence, opened_at, 'open'
      from place where is_owner and not is_erased and is_free
      on conflict do nothing returning run_id, id
    )
    select number, is_owner::int::bigint as is_owner, is_erased::int::bigint as is_erased, is_free::int::bigint as is_free,
      (opened.id is not null)::int::bigint as opened
    from place left join opened on opened.run_id = place.run_id and opened.id = place.id`
}

/** Changes nothing if the call is no longer open, if its question has another owner by now, or if its run has a cap. */
function closeStatement(asked: ReturnType<typeof sql>) {
  return sql`
    with place as materialized (
      select asked.*, question.question is null as is_erased,
        shared.cap_micro_usd is null or coalesce(call.reserved_micro_usd, 0) = 0 as is_free
      from ${asked}
      join calls call on call.run_id = asked.run_id and call.id = asked.id and call.fence = asked.fence
      join run_questions question on question.run_id = call.run_id and question.question_id = call.question_id
      join runs run on run.id = call.run_id
      join shared_runs shared on shared.run_id = call.run_id
      where call.state = 'open' and question.fence = asked.fence and run.fence is null
      for share of question
    ), closed as (
      update calls set state = place.state, at = place.at,
        reply = case when place.is_erased then null else place.reply end,
        input_tokens = place.input_tokens, output_tokens = place.output_tokens, cost_micro_usd = place.cost_micro_usd,
        error = case when place.is_erased and place.error is not null then ${ERASED} else place.error end
      from place
      where calls.run_id = place.run_id and calls.id = place.id and calls.state = 'open' and place.is_free
      returning calls.run_id, calls.id
    )
    select number, is_free::int::bigint as is_free, (closed.id is not null)::int::bigint as closed
    from place left join closed on closed.run_id = place.run_id and closed.id = place.id`
}
