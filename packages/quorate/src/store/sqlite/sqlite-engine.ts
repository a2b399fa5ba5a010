import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../record/store-error.ts'
import type { Engine } from '../engine.ts'
import { affectedBy, type Operation } from '../operation.ts'
import type { StorageLocation } from '../store.ts'
import { copyDatabase } from './copy-database.ts'
import { createGroupCommit } from './group-commit.ts'
import { createLogSync, NO_SYNC } from './log-sync.ts'
import { BUSY_TIMEOUT_MS, storeErrorOfSqlite } from './sqlite-errors.ts'
import { sqliteQueries } from './sqlite-queries.ts'
import { createStatements } from './statements.ts'

/** A reader may stay for a long time. After this time, `wipe` reports that old bytes remain. */
const CHECKPOINT_TIMEOUT_MS = 500

/** Creates the engine on an open database whose tables are up to date. */
export function createSqliteEngine(database: DatabaseSync, file: string): Engine {
  const statements = createStatements(database)
  const log = file === ':memory:' ? NO_SYNC : createLogSync(file)
  const groupCommit = createGroupCommit(database, statements, log)

  async function withStoreErrors<Result>(action: () => Result | Promise<Result>): Promise<Result> {
    try {
      return await action()
    } catch (error) {
      throw storeErrorOfSqlite(error, file)
    }
  }

  /** A read returns only durable data: it resolves after all earlier commits are on the disk. */
  function read<Result>(operation: Operation<Result>): Result | Promise<Result> {
    const result = statements.run(operation)
    return log.pending()?.then(() => result) ?? result
  }

  const write: Engine['write'] = (operation) => {
    if (!database.isOpen) return Promise.reject(new StoreError('closed', `store ${file}: it is closed`))
    return withStoreErrors(() => groupCommit.write(operation))
  }

  return {
    name: 'sqlite',
    queries: sqliteQueries(),
    read: (operation) => withStoreErrors(() => read(operation)),
    write,
    writeOne: (query) => write(() => affectedBy(query)),
    lock: () => null,
    backup: (path) => withStoreErrors(() => copyDatabase(database, path)),
    wipe: () => withStoreErrors(() => wipe(database)),
    ...filePlace(file),
    close: () =>
      withStoreErrors(async () => {
        if (!database.isOpen) return
        groupCommit.flush()
        await log.close()
        if (database.isOpen) database.close()
      }),
  }
}

/**
 * Rewrites the file without deleted or replaced content, including unused pages, and empties the write-ahead log. If another
 * process is reading, the log stays until it has finished.
 */
function wipe(database: DatabaseSync): boolean {
  try {
    database.exec('vacuum')
    database.exec(`pragma busy_timeout = ${CHECKPOINT_TIMEOUT_MS}`)
    return database.prepare('pragma wal_checkpoint(truncate)').get()?.['busy'] === 0
  } catch (error) {
    // The text is erased anyway. Only removing its old bytes has to wait for space or for another process.
    if (['busy', 'disk-full'].includes(kindOf(error))) return false
    throw error
  } finally {
    database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`)
  }
}

function kindOf(error: unknown): string {
  const known = storeErrorOfSqlite(error, '')
  return known instanceof StoreError ? known.kind : ''
}

/** The location of a file that was just opened. */
function filePlace(file: string): StorageLocation {
  if (file === ':memory:') return { isInPlace: () => true, freeBytes: () => null }
  const opened = fileId(file)
  return {
    isInPlace: () => opened === fileId(file),
    freeBytes: () => {
      const { bavail, bsize } = statfsSync(dirname(file))
      return bavail * bsize
    },
  }
}

function fileId(file: string): string | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev} ${found.ino}`
}
