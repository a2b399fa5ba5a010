import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../record/store-error.ts'

/** A copy is first written into a work folder of this name, next to its destination. */
const WORK_FOLDER = /^quorate-backup-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part$/
const COPY = 'copy.db'
/** A process locks this file while it writes a copy. The operating system releases the lock when the process ends. */
const LOCK = 'lock.db'
const OWN_NAMES: readonly string[] = [COPY, `${COPY}-journal`, LOCK, `${LOCK}-journal`]

/**
 * Writes a consistent copy to a path that must not exist. At that path there is either a complete copy or none. A process that
 * is killed leaves its work folder behind, and the next copy into the same folder removes it.
 */
export function copyDatabase(database: DatabaseSync, path: string): void {
  const target = resolve(path)
  checkFree(target)
  removeStaleFolders(dirname(target))
  const work = openWorkFolder(dirname(target))
  try {
    const copy = join(work.folder, COPY)
    // VACUUM INTO accepts an empty file and keeps its mode.
    closeSync(openSync(copy, 'wx', 0o600))
    database.prepare('vacuum into ?').run(copy)
    sync(copy)
    checkFree(target)
    renameSync(copy, target)
    // Windows cannot sync a folder.
    if (process.platform !== 'win32') sync(dirname(target))
  } finally {
    removeWorkFolder(work)
  }
}

interface WorkFolder {
  readonly folder: string
  readonly lock: DatabaseSync
}

function openWorkFolder(parent: string): WorkFolder {
  for (;;) {
    const folder = join(parent, `quorate-backup-${randomUUID()}.part`)
    mkdirSync(folder, { mode: 0o700 })
    const lock = lockFolder(folder)
    // Null only if another process removed the new folder as stale before it was locked.
    if (lock !== null) return { folder, lock }
  }
}

/** Null if another process has the lock or has removed the folder. */
function lockFolder(folder: string): DatabaseSync | null {
  const path = join(folder, LOCK)
  let lock: DatabaseSync | null = null
  try {
    lock = new DatabaseSync(path, { timeout: 0 })
    lock.exec('begin exclusive')
    if (existsSync(path)) return lock
  } catch (error) {
    if (!isTaken(error) && existsSync(folder)) throw error
  }
  lock?.close()
  return null
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}

const SQLITE_BUSY = 5

/** Removes work folders that killed processes of this user left behind, and nothing else. */
function removeStaleFolders(parent: string): void {
  for (const name of readdirSync(parent)) {
    if (!WORK_FOLDER.test(name) || !isOwnFolder(join(parent, name))) continue
    const folder = join(parent, name)
    const lock = lockFolder(folder)
    if (lock !== null) removeWorkFolder({ folder, lock })
  }
}

/** Whether it is a real folder of this user that contains only files of a copy. */
function isOwnFolder(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found === undefined || !found.isDirectory()) return false
  // Windows has no user ids.
  if (process.getuid !== undefined && found.uid !== process.getuid()) return false
  return readdirSync(folder).every((name) => OWN_NAMES.includes(name))
}

/** Removes file by file, so that a file which another process creates meanwhile stays and causes an error. */
function removeWorkFolder({ folder, lock }: WorkFolder): void {
  // Windows cannot remove an open file. Elsewhere the lock is kept until the folder is gone.
  if (process.platform === 'win32') lock.close()
  try {
    for (const name of OWN_NAMES) rmSync(join(folder, name), { force: true })
    rmdirSync(folder)
  } finally {
    if (lock.isOpen) lock.close()
  }
}

function checkFree(path: string): void {
  if (!existsSync(path)) return
  throw new StoreError('exists', `backup: ${path} exists and is not overwritten: name another file`)
}

/** VACUUM INTO does not sync the file to the disk. */
function sync(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
