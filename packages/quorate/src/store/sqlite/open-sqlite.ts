import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createStore } from '../create-store.ts'
import { ALL_MIGRATIONS } from '../migrations/first-schema.ts'
import type { Migration } from '../migrations/migrate.ts'
import type { Millis, Store } from '../store.ts'
import { migrateSqlite } from './migrate-sqlite.ts'
import { createSqliteEngine } from './sqlite-engine.ts'
import { BUSY_TIMEOUT_MS, storeErrorOfSqlite } from './sqlite-errors.ts'
import { SQLITE_TYPES, sqliteQueries } from './sqlite-queries.ts'

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
  // Every few megabytes the log is copied into the file, while writers wait: seldom, since pages that changed often are copied once.
  database.exec('pragma wal_autocheckpoint = 2000')
  database.exec('pragma foreign_keys = on')
  // What is deleted or replaced is overwritten with zeros.
  database.exec('pragma secure_delete = on')
}
