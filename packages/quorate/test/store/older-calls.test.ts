import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { ALL_MIGRATIONS } from '../../src/store/migrations/all-migrations.ts'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import { openSqlite } from '../../src/store/sqlite/open-sqlite.ts'
import type { Store } from '../../src/store/store.ts'
import { privatePostgres } from './private-postgres.ts'
import { sampleId, sampleIntent, sampleOutcome } from './samples.ts'
import { temporaryFolder } from './temporary-folder.ts'

const RUN = sampleId(1)
const BEFORE = ALL_MIGRATIONS.slice(0, 6)
const now = () => 0

/** Rows as version 6 wrote them: an answered call and one that is open. */
const ROWS = [
  `insert into runs (id, kind, config_hash, questions_hash, config, status, created_at, is_shadow, seed)
    values ('${RUN}', 'debate', 'a', 'b', '{}', 'open', 1, 0, 7)`,
  `insert into run_questions (run_id, question_id, question, status, position, is_drawn)
    values ('${RUN}', 'q0', '{"id":"q0","question":"Why?"}', 'pending', 0, 0)`,
  ...[1, 2].map((attempt) => {
    const { id, cacheKey, questionId, agent, model, fence, openedAt } = sampleIntent(attempt)
    const { at, reply, inputTokens, outputTokens, costMicroUsd } = sampleOutcome()
    const outcome =
      attempt === 1 ? `'answered', ${at}, '${reply}', ${inputTokens}, ${outputTokens}, ${costMicroUsd}` : null
    return `insert into calls (id, key, cache_key, run_id, question_id, agent, model, fence, round, repeat, is_reminder,
      attempt, reserved_micro_usd, opened_at, state, at, reply, input_tokens, output_tokens, cost_micro_usd)
    values ('${id}', 'key ${attempt}', '${cacheKey}', '${RUN}', '${questionId}', '${agent}', '${model}', '${fence}', 1, 0, 0,
      ${attempt}, 900, ${openedAt}, ${outcome ?? "'open', null, null, null, null, null"})`
  }),
]

async function checkCalls(store: Store): Promise<void> {
  const none = { at: null, reply: null, inputTokens: null, outputTokens: null, costMicroUsd: null, error: null }
  expect(await store.calls.list(RUN, { after: null, limit: 9 })).toEqual([
    { ...sampleIntent(1), state: 'answered', ...sampleOutcome() },
    { ...sampleIntent(2), state: 'open', ...none },
  ])
  await expect(store.calls.open(sampleIntent(3, { attempt: 2 }))).rejects.toMatchObject({ kind: 'exists' })
  expect(await store.calls.close(sampleIntent(2), 'answered', sampleOutcome())).toBe(true)
  await store.close()
}

test('calls of an older SQLite store are all there, as they were', async () => {
  const file = join(temporaryFolder(), 'store.db')
  await openSqlite(file, { now, migrations: BEFORE }).close()
  const database = new DatabaseSync(file)
  for (const statement of ROWS) database.exec(statement)
  database.close()
  await checkCalls(openSqlite(file, { now }))
})

const postgres = await privatePostgres()

test.skipIf(postgres.kind === 'absent')('calls of an older PostgreSQL store are all there, as they were', async () => {
  if (postgres.kind === 'absent') return
  const { schema, url } = await postgres.freshUrl()
  await (await openPostgres(url, { now, migrations: BEFORE })).close()
  await postgres.admin.query(`set search_path = ${schema}; ${ROWS.join(';')}; reset search_path`)
  await checkCalls(await openPostgres(url, { now }))
})
