import { sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { preparedQuery, type QueryValues } from '../prepared-query.ts'
import { ERASED } from '../runs/redact.ts'
import { CLOSED_COLUMNS, OPENED_COLUMNS } from './gathered-calls.ts'

const OPENING = [...OPENED_COLUMNS, 'amount'] as const

/** Statements for runs with a spend cap, one for each call, because each depends on what earlier calls left of the cap. */
export function cappedStatements({ queries }: Engine) {
  const prepared = (names: readonly string[], build: (values: QueryValues) => ReturnType<typeof sql>) =>
    preparedQuery(names, (values: QueryValues) => ({ compile: () => build(values).compile(queries) }))
  return { open: prepared(OPENING, openStatement), close: prepared(CLOSED_COLUMNS, closeStatement) }
}

/**
 * Writes nothing if the fence does not own the question, if the question is erased, or if the cap has no room. A call that
 * already exists is an error, which also undoes the reservation.
 */
function openStatement(intent: QueryValues) {
  const value = (name: (typeof OPENING)[number]) => intent[name]
  return sql`
    with place as materialized (
      select coalesce(question.fence = ${value('fence')} and run.fence is null, false)::int::bigint as is_owner,
        (question.question is null)::int::bigint as is_erased
      from run_questions question join runs run on run.id = question.run_id
      where question.run_id = ${value('runId')} and question.question_id = ${value('questionId')}
      for share of question
    ), spent as (
      update shared_runs set reserved_micro_usd = reserved_micro_usd + ${value('amount')}::bigint, open_calls = open_calls + 1
      where run_id = ${value('runId')} and cap_micro_usd is not null and ${value('amount')}::bigint > 0
        and committed_micro_usd + reserved_micro_usd + ${value('amount')}::bigint <= cap_micro_usd
        and exists (select from place where is_owner = 1 and is_erased = 0)
        and not exists ${sameCall(intent)}
      returning run_id
    ), budget as (
      select (cap_micro_usd is null or ${value('amount')}::bigint = 0)::int::bigint as is_free
      from shared_runs where run_id = ${value('runId')}
    ), opened as (
      insert into calls (id, cache_key, run_id, question_id, agent, round, repeat, is_reminder, attempt, model,
        reserved_micro_usd, fence, opened_at, state)
      select ${value('id')}, ${value('cacheKey')}, ${value('runId')}, ${value('questionId')},
        ${value('agent')}, ${value('round')}::bigint, ${value('repeat')}::bigint, ${value('isReminder')}::bigint,
        ${value('attempt')}::bigint, ${value('model')}, ${value('reservedMicroUsd')}::bigint, ${value('fence')},
        ${value('openedAt')}::bigint, 'open'
      from place, budget
      where is_owner = 1 and is_erased = 0 and (is_free = 1 or exists (select from spent))
      returning id
    )
    select is_owner, is_erased, is_free, (is_free = 1 or exists (select from spent)
        or exists ${sameCall(intent)})::int::bigint as fits,
      (select count(*) from opened) as opened
    from place, budget`
}

function sameCall(intent: QueryValues) {
  const value = (name: (typeof OPENING)[number]) => intent[name]
  return sql`(select from calls where run_id = ${value('runId')} and question_id = ${value('questionId')}
    and agent = ${value('agent')} and round = ${value('round')} and repeat = ${value('repeat')}
    and is_reminder = ${value('isReminder')} and attempt = ${value('attempt')})`
}

/** Changes nothing if the call is no longer open, or if its question has another owner by now. */
function closeStatement(closing: QueryValues) {
  const value = (name: (typeof CLOSED_COLUMNS)[number]) => closing[name]
  return sql`
    with place as materialized (
      select call.id, call.run_id, coalesce(call.reserved_micro_usd, 0) as reserved, question.question is null as erased
      from calls call
      join run_questions question on question.run_id = call.run_id and question.question_id = call.question_id
      join runs run on run.id = call.run_id
      where call.run_id = ${value('runId')} and call.id = ${value('id')} and call.fence = ${value('fence')} and call.state = 'open'
        and question.fence = ${value('fence')} and run.fence is null
      for share of question
    ), closed as (
      update calls set state = ${value('state')}, at = ${value('at')}::bigint,
        reply = case when place.erased then null else ${value('reply')}::text end,
        input_tokens = ${value('inputTokens')}::bigint, output_tokens = ${value('outputTokens')}::bigint,
        cost_micro_usd = ${value('costMicroUsd')}::bigint,
        error = case when place.erased and ${value('error')}::text is not null then ${ERASED} else ${value('error')}::text end
      from place where calls.run_id = place.run_id and calls.id = place.id and calls.state = 'open'
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
