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

/** A copy is written inside a folder of this name, beside its final place. */
const WORK_FOLDER = /^quorate-backup-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part$/
const COPY = 'copy.db'
/** A process that writes a copy has this file locked; the operating system ends the lock with the process. */
const LOCK = 'lock.db'
const OWN_NAMES: readonly string[] = [COPY, `${COPY}-journal`, LOCK, `${LOCK}-journal`]

/**
 * Writes a consistent copy to a path that must be free. Under that path there is a whole copy or none. The work folder
 * of a process that was killed stays behind; the next copy into the same folder removes it.
 */
export function copyDatabase(database: DatabaseSync, path: string): void {
  const target = resolve(path)
  checkFree(target)
  removeRemains(dirname(target))
  const work = openWorkFolder(dirname(target))
  try {
    const copy = join(work.folder, COPY)
    // VACUUM INTO fills an empty file and keeps its mode.
    closeSync(openSync(copy, 'wx', 0o600))
    database.prepare('vacuum into ?').run(copy)
    sync(copy)
    checkFree(target)
    renameSync(copy, target)
    // Windows has no handle to sync for a folder.
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
    // Null only if another process took the new folder for remains before it was locked.
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

/** Removes what killed processes of this user left in the folder, and nothing else. */
function removeRemains(parent: string): void {
  for (const name of readdirSync(parent)) {
    if (!WORK_FOLDER.test(name) || !isOwnFolder(join(parent, name))) continue
    const folder = join(parent, name)
    const lock = lockFolder(folder)
    if (lock !== null) removeWorkFolder({ folder, lock })
  }
}

/** Whether it is a real folder of this user in which there is nothing but what a copy makes. */
function isOwnFolder(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found === undefined || !found.isDirectory()) return false
  // Windows has no user ids.
  if (process.getuid !== undefined && found.uid !== process.getuid()) return false
  return readdirSync(folder).every((name) => OWN_NAMES.includes(name))
}

/** File by file: a file that another process creates meanwhile stays, and the error says so. */
function removeWorkFolder({ folder, lock }: WorkFolder): void {
  // Windows removes no file that is open; elsewhere the lock is kept until the folder is gone.
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

/** VACUUM INTO leaves the file to the operating system. */
function sync(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
