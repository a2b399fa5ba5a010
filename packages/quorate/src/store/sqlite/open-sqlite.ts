import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../record/store-error.ts'
import { createStore } from '../create-store.ts'
import type { Engine } from '../engine.ts'
import { ALL_MIGRATIONS } from '../migrations/first-schema.ts'
import {
  applyMigration,
  type Migration,
  type MigrationPlan,
  NOT_MIGRATED,
  nextMigration,
  readApplied,
} from '../migrations/migrate.ts'
import type { Millis, Store } from '../store.ts'
import { copyDatabase } from './copy-database.ts'
import { createSqliteEngine } from './sqlite-engine.ts'
import { BUSY_TIMEOUT_MS, storeErrorOfSqlite } from './sqlite-errors.ts'
import { SQLITE_TYPES, sqliteQueries } from './sqlite-queries.ts'
import { createStatements } from './statements.ts'

export interface SqliteOptions {
  readonly now: () => Millis
  /** Replaces the released migrations in tests. */
  readonly migrations?: readonly Migration[]
  /** Replaces the function that opens the file in tests. */
  readonly connect?: (file: string) => DatabaseSync
}

/** Opens the file, or creates it with its folder, and migrates its tables. */
export function openSqlite(file: string, options: SqliteOptions): Store {
  return createStore(openSqliteEngine(file, options))
}

export function openSqliteEngine(file: string, { now, migrations = ALL_MIGRATIONS, connect }: SqliteOptions): Engine {
  let database: DatabaseSync | undefined
  try {
    if (file !== ':memory:') makePrivate(file)
    database = connect?.(file) ?? new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
    setUp(database)
    migrateSqlite(database, file, { queries: sqliteQueries(), types: SQLITE_TYPES, migrations, now })
    return createSqliteEngine(database, file)
  } catch (error) {
    database?.close()
    throw storeErrorOfSqlite(error, file)
  }
}

/** Only this user may read a new file, because questions and replies may be confidential. The log gets the file's mode. */
function makePrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
}

function setUp(database: DatabaseSync): void {
  database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`)
  // A writer does not block readers, in this process or in others.
  database.exec('pragma journal_mode = wal')
  // SQLite does not sync each commit. We do, off the event loop, before a commit is acknowledged (`createLogSync`).
  database.exec('pragma synchronous = normal')
  // A checkpoint copies the log into the file every few megabytes, while writers wait. Rare checkpoints copy a page that
  // changed often only once.
  database.exec('pragma wal_autocheckpoint = 2000')
  database.exec('pragma foreign_keys = on')
  // Deleted and replaced content is overwritten with zeros.
  database.exec('pragma secure_delete = on')
}

/** Migrates the tables in one transaction. Another process that opens the file waits for it. */
function migrateSqlite(database: DatabaseSync, file: string, plan: MigrationPlan): void {
  if (!isBehind(database, file, plan)) return
  database.exec('begin immediate')
  try {
    migrateAll(database, file, plan)
    database.exec('commit')
  } catch (error) {
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
}

function migrateAll(database: DatabaseSync, file: string, plan: MigrationPlan): void {
  const statements = createStatements(database)
  const applied = statements.run(() => readApplied(plan))
  let migration = nextMigration(plan.migrations, applied, `store ${file}`)
  // Null: the process that we waited for has migrated the store.
  if (migration !== null && applied.version > 0 && file !== ':memory:') copyBeforeMigration(file, applied.version)
  while (migration !== null) {
    const next = migration
    statements.run(() => applyMigration(plan, next))
    migration = nextMigration(plan.migrations, next, `store ${file}`)
  }
}

/** Takes no lock and writes nothing, so that a store that is up to date can be opened while another process writes. */
function isBehind(database: DatabaseSync, file: string, plan: MigrationPlan): boolean {
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all()
  if (tables.length === 0) return true
  if (!tables.some(({ name }) => name === 'quorate_schema')) {
    throw new StoreError('not-a-store', `store ${file}: it contains the tables of another program: name another file`)
  }
  const row = database.prepare('select version, name from quorate_schema order by version desc limit 1').get()
  const applied = row === undefined ? NOT_MIGRATED : { version: Number(row['version']), name: String(row['name']) }
  return nextMigration(plan.migrations, applied, `store ${file}`) !== null
}

/** Reads through a connection of its own, because VACUUM cannot run in a transaction. No other process can write meanwhile. */
function copyBeforeMigration(file: string, version: number): void {
  const reader = new DatabaseSync(file, { readOnly: true })
  try {
    for (let copy = 1; ; copy++) {
      const name = `${file}.backup-v${version}${copy === 1 ? '' : `-${copy}`}`
      if (existsSync(name)) continue
      copyDatabase(reader, name)
      return
    }
  } finally {
    reader.close()
  }
}
