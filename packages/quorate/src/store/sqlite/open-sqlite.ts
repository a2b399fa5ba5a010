import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../record/store-error.ts'
import { createStore } from '../create-store.ts'
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
  /** Others than the released ones, for tests. */
  readonly migrations?: readonly Migration[]
  /** Opens the file, for tests. */
  readonly connect?: (file: string) => DatabaseSync
}

/** Opens the file, or makes it with its folder, and brings its tables up to date. */
export function openSqlite(file: string, { now, migrations = ALL_MIGRATIONS, connect }: SqliteOptions): Store {
  let database: DatabaseSync | undefined
  try {
    if (file !== ':memory:') makePrivate(file)
    database = connect?.(file) ?? new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
    setUp(database)
    migrateSqlite(database, file, { queries: sqliteQueries(), types: SQLITE_TYPES, migrations, now })
    return createStore(createSqliteEngine(database, file))
  } catch (error) {
    database?.close()
    throw storeErrorOfSqlite(error, file)
  }
}

/** What is new is for this user alone: questions and replies may be anybody's secrets. The log takes the file's mode. */
function makePrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
}

function setUp(database: DatabaseSync): void {
  database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`)
  // Readers go on beside a writer, in this process and in others.
  database.exec('pragma journal_mode = wal')
  // Each commit reaches the disk before it is acknowledged: its sync is ours, beside the event loop (`createLogSync`).
  database.exec('pragma synchronous = normal')
  // Every few megabytes the log is copied into the file, while writers wait: rarely, since pages that changed often are copied once.
  database.exec('pragma wal_autocheckpoint = 2000')
  database.exec('pragma foreign_keys = on')
  // What is deleted or replaced is overwritten with zeros.
  database.exec('pragma secure_delete = on')
}

/** Brings the tables up to date in one transaction; another process that opens the file waits for it. */
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
  // Null: the process that we waited for did it.
  if (migration !== null && applied.version > 0 && file !== ':memory:') copyBeforeMigration(file, applied.version)
  while (migration !== null) {
    const next = migration
    statements.run(() => applyMigration(plan, next))
    migration = nextMigration(plan.migrations, next, `store ${file}`)
  }
}

/** Without a lock and without writing: a store that is up to date is opened beside a busy one. */
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

/** Read over a connection of its own, as VACUUM runs in no transaction; nobody else can write meanwhile. */
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
