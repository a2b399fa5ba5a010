import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { ALL_MIGRATIONS } from '../../../src/store/migrations/first-schema.ts'
import type { Migration } from '../../../src/store/migrations/migrate.ts'
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

test('an older file is copied next to itself and then migrated with its rows', async () => {
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
    { version: 1, name: ALL_MIGRATIONS[0]?.name, applied_at: 42 },
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

test('the schema of another version is refused with a clear error, and the file is unchanged', async () => {
  const file = join(temporaryFolder(), 'store.db')
  await openSqlite(file, { now, migrations: [...ALL_MIGRATIONS, withNotes] }).close()
  expect(() => openSqlite(file, { now })).toThrow(
    `store.db was written by another version of quorate (its schema is ${LATEST + 1}, this one knows ${LATEST}): open it with`,
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

test('if several processes open an older file at once, one migrates it and the others wait', async () => {
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
  // All processes are waiting for the lock, or are about to.
  await Promise.all(children.map((child) => once(child.stdout, 'data')))
  holder.exec('rollback')
  holder.close()
  expect((await Promise.all(exits)).map(([code]) => code)).toEqual([0, 0, 0])
  expect(readdirSync(folder)).toEqual(['store.db', `store.db.backup-v${LATEST}`])
})

test('a store from before the first release is refused and not changed', async () => {
  const file = join(temporaryFolder(), 'store.db')
  await openSqlite(file, { now }).close()
  const database = new DatabaseSync(file)
  database.exec("insert into quorate_schema (version, name, applied_at) values (7, 'runs of several workers', 1)")
  database.close()
  expect(() => openSqlite(file, { now })).toThrow('begin with a new store')
})

test.each(['first schema', 'first schema of 2026-11-18, with callers'])(
  'a store with a different first schema is refused and not changed: %s',
  async (name) => {
    const file = join(temporaryFolder(), 'store.db')
    await openSqlite(file, { now }).close()
    const database = new DatabaseSync(file)
    database.prepare('update quorate_schema set name = ?').run(name)
    database.close()
    expect(() => openSqlite(file, { now })).toThrow(
      `store.db was written by a version of quorate from before its release (${name}): begin with a new store`,
    )
  },
)
