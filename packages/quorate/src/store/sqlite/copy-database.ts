import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../store-error.ts'

/** A consistent copy under a name that must be free; under it there is a whole copy or none. */
export function copyDatabase(database: DatabaseSync, path: string): void {
  const part = `${path}.${randomUUID()}.part`
  checkFree(path)
  // An empty file is filled: nobody else may read it from the first byte on.
  closeSync(openSync(part, 'wx', 0o600))
  try {
    database.prepare('vacuum into ?').run(part)
    sync(part)
    checkFree(path)
    renameSync(part, path)
    // Windows has no handle to sync for a folder.
    if (process.platform !== 'win32') sync(dirname(resolve(path)))
  } finally {
    rmSync(part, { force: true })
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
