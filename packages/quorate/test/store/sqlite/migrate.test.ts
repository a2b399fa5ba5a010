import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { firstTables } from '../../../src/store/migrations/0001-first-tables.ts'
import { ALL_MIGRATIONS } from '../../../src/store/migrations/all-migrations.ts'
import type { Migration } from '../../../src/store/migrations/migration.ts'
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.ts'
import { createRun } from '../samples.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const now = () => 42

const withNotes: Migration = {
  version: ALL_MIGRATIONS.length + 1,
  name: 'notes',
  statements: (queries) => [queries.schema.alterTable('runs').addColumn('note', sql`text`)],
}
const failing: Migration = {
  version: ALL_MIGRATIONS.length + 1,
  name: 'failing',
  statements: (queries) => [...withNotes.statements(queries, NO_TYPES), queries.schema.dropTable('notThere')],
}
const LATEST = ALL_MIGRATIONS.length
const NO_TYPES = { text: sql``, integer: sql``, tableEnd: sql`` }

test('migrations are numbered from 1 without gaps', () => {
  expect(ALL_MIGRATIONS.map(({ version }) => version)).toEqual(ALL_MIGRATIONS.map((_, index) => index + 1))
})

test('an older file is copied beside itself, then brought up to date with its rows', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'store.db')
  const first = openSqlite(file, { now })
  const run = await createRun(first)
  await first.close()
  expect(readdirSync(folder)).toEqual(['store.db'])
  const second = openSqlite(file, { now, migrations: [...ALL_MIGRATIONS, withNotes] })
  expect(await second.runs.find(run.id)).toEqual(run)
  await second.close()
  expect(readdirSync(folder)).toEqual(['store.db', `store.db.backup-v${LATEST}`])
  const copy = openSqlite(join(folder, `store.db.backup-v${LATEST}`), { now })
  expect(await copy.runs.find(run.id)).toEqual(run)
  await copy.close()
  const database = new DatabaseSync(file)
  expect(database.prepare('select * from quorate_schema').all()).toMatchObject([
    { version: 1, name: 'first tables', applied_at: 42 },
    { version: 2, name: 'fence of a run', applied_at: 42 },
    { version: 3, name: 'server, queue and webhooks', applied_at: 42 },
    { version: 4, name: 'counts of decisions and states of monitors', applied_at: 42 },
    ...ALL_MIGRATIONS.slice(4).map(({ version, name }) => ({ version, name, applied_at: 42 })),
    { version: LATEST + 1, name: 'notes', applied_at: 42 },
  ])
  database.close()
})

test('a migration that fails changes nothing, keeps its copy, and a later copy gets another name', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'store.db')
  await openSqlite(file, { now }).close()
  expect(() => openSqlite(file, { now, migrations: [...ALL_MIGRATIONS, failing] })).toThrow(/not_there/)
  await openSqlite(file, { now }).close()
  await openSqlite(file, { now, migrations: [...ALL_MIGRATIONS, withNotes] }).close()
  expect(readdirSync(folder)).toEqual(['store.db', `store.db.backup-v${LATEST}`, `store.db.backup-v${LATEST}-2`])
})

test('a newer schema is refused in words, and the file is left as it was', async () => {
  const file = join(temporaryFolder(), 'store.db')
  await openSqlite(file, { now, migrations: [...ALL_MIGRATIONS, withNotes] }).close()
  expect(() => openSqlite(file, { now })).toThrow(
    `store.db was written by a newer quorate (its schema is ${LATEST + 1}, this one knows ${LATEST}): install that version`,
  )
  await openSqlite(file, { now, migrations: [...ALL_MIGRATIONS, withNotes] }).close()
})

test("another program's database is refused", () => {
  const file = join(temporaryFolder(), 'store.db')
  const database = new DatabaseSync(file)
  database.exec('create table accounts(id integer)')
  database.close()
  expect(() => openSqlite(file, { now })).toThrow(/tables of another program/)
})

test('of several processes that open an older file at once one migrates it, once, and the others wait', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'store.db')
  await openSqlite(file, { now }).close()
  const holder = new DatabaseSync(file)
  holder.exec('begin immediate')
  const script = new URL('./migrating-process.ts', import.meta.url).pathname
  const children = Array.from({ length: 3 }, () =>
    spawn(process.execPath, ['--conditions=quorate-source', script, file], { stdio: ['ignore', 'pipe', 'inherit'] }),
  )
  const exits = children.map((child) => once(child, 'exit'))
  // All have come to the lock, or are about to.
  await Promise.all(children.map((child) => once(child.stdout, 'data')))
  holder.exec('rollback')
  holder.close()
  expect((await Promise.all(exits)).map(([code]) => code)).toEqual([0, 0, 0])
  expect(readdirSync(folder)).toEqual(['store.db', `store.db.backup-v${LATEST}`])
})

test('version 3 puts what version 1 stored into lists and the queue; what was drawn with an unknown probability does not count', async () => {
  const file = join(temporaryFolder(), 'store.db')
  await openSqlite(file, { now, migrations: [firstTables] }).close()
  const database = new DatabaseSync(file)
  database.exec(VERSION_1_ROWS)
  database.close()
  const store = openSqlite(file, { now })
  expect(await store.runs.draws({ certificateId: 'c', after: 0, limit: 9 })).toEqual([])
  expect(await store.runs.arrivals('c')).toBe(0)
  const listed = await store.debates.latest({ after: null, limit: 9, now: 1, filter: { reason: 'bound-low' } })
  expect(listed).toMatchObject([{ questionId: 'a', decision: { id: 'd1' }, group: null }])
  const claim = { reviewer: 'ann', now: 5, lockMs: 9, slot: () => 'open' as const }
  const order = [await store.reviews.claimNext(claim), await store.reviews.claimNext(claim)]
  expect(order.map((review) => review?.id)).toEqual(['s1', 'd1'])
  expect(await store.reviews.claimNext(claim)).toBeNull()
  expect(await store.labels.of('a')).toMatchObject([{ verdict: 'option', reviewId: null }])
  await store.close()
})

const VERSION_1_ROWS = `
  insert into runs (id, kind, config_hash, questions_hash, config, status, created_at, is_shadow, seed) values
    ('debated', 'debate', '', '', '{}', 'done', 1, 0, 1), ('live', 'decide', '', '', '{}', 'done', 1, 0, 1),
    ('live2', 'decide', '', '', '{}', 'done', 1, 0, 1), ('shadow', 'decide', '', '', '{}', 'done', 1, 1, 1);
  insert into run_questions (run_id, question_id, status, position, is_drawn) values
    ('debated', 'a', 'done', 0, 1), ('live', 'b', 'done', 0, 1), ('live', 'a', 'done', 1, 0),
    ('live2', 'a', 'done', 0, 1), ('shadow', 'a', 'done', 0, 1);
  insert into debates (run_id, question_id, debate, status, rounds, at) values ('live', 'a', '{}', 'done', 1, 7);
  insert into decisions (id, run_id, question_id, certificate_id, kind, reason, decision, round, is_shadow, at) values
    ('d1', 'live', 'a', 'c', 'defer', 'bound-low', '{}', 1, 0, 7);
  insert into reviews (id, run_id, question_id, source, reason, status, created_at) values
    ('d1', 'live', 'a', 'deferral', 'bound-low', 'waiting', 9), ('s1', 'live', 'b', 'spot-check', null, 'waiting', 8),
    ('old', 'live', 'b', 'deferral', null, 'retracted', 8);
  insert into labels (id, question_id, gold, source, sequence, at) values ('l1', 'a', 'A', 'import', 1, 1);
`
