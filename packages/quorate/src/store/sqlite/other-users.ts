import { existsSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../record/store-error.ts'
import { storeErrorOfSqlite } from './sqlite-errors.ts'

/** Who else has a SQLite file open. */
export type OtherUsers =
  | { readonly kind: 'none' }
  /** Ids of processes, as far as the system tells them (Linux). */
  | { readonly kind: 'some'; readonly processes: readonly number[] }

/**
 * Asks SQLite itself: with a write-ahead log every connection holds a lock for as long as it is open, and the log can only be
 * given up by the last one. Nothing is left behind by a process that was killed.
 */
export function otherUsers(file: string): OtherUsers {
  if (!existsSync(file)) return { kind: 'none' }
  return isOpenElsewhere(file) ? { kind: 'some', processes: processesWith(file) } : { kind: 'none' }
}

function isOpenElsewhere(file: string): boolean {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: 0 })
    database.exec('pragma journal_mode = delete')
    return false
  } catch (error) {
    // What is no database, or a damaged one, nobody works with.
    const known = storeErrorOfSqlite(error, file)
    return known instanceof StoreError && known.kind === 'busy'
  } finally {
    database?.close()
  }
}

/** Descriptors of other users cannot be read: then nobody is named. */
function processesWith(file: string): number[] {
  const path = realpathSync(file)
  return entries('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => entries(`/proc/${name}/fd`).some((handle) => target(`/proc/${name}/fd/${handle}`) === path))
    .map(Number)
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function target(link: string): string | null {
  try {
    return readlinkSync(link)
  } catch {
    return null
  }
}
