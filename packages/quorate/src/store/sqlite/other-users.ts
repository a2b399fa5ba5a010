import { existsSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../record/store-error.ts'
import { storeErrorOfSqlite } from './sqlite-errors.ts'

/** The other processes that have a SQLite file open. */
export type OtherUsers =
  | { readonly kind: 'none' }
  /** Process ids, as far as the system reveals them (only on Linux). */
  | { readonly kind: 'some'; readonly processes: readonly number[] }

/**
 * Asks SQLite: in write-ahead mode every open connection has a lock, and only the last connection can leave that mode. A killed
 * process leaves no lock behind.
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
    // No process works with a file that is damaged or not a database.
    const known = storeErrorOfSqlite(error, file)
    return known instanceof StoreError && known.kind === 'busy'
  } finally {
    database?.close()
  }
}

/** Processes of other users are missing, because their descriptors cannot be read. */
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
