import { close, fdatasync, open } from 'node:fs'
import { promisify } from 'node:util'

/** Syncs commits to the disk off the event loop. A sync takes milliseconds, in which other requests can be served. */
export interface LogSync {
  /** Resolves once everything committed before the call is on the disk. */
  sync(): Promise<void>
  /** Resolves once everything committed so far is on the disk; undefined: it already is. */
  pending(): Promise<void> | undefined
  close(): Promise<void>
}

const [openFile, syncFile, closeFile] = [promisify(open), promisify(fdatasync), promisify(close)]

/**
 * With `synchronous = normal`, SQLite writes each commit to the write-ahead log without a sync, so we sync the log. Before a
 * checkpoint SQLite syncs by itself. Commits made during one sync share the next. The log stays the same file while a
 * connection is open, and SQLite has no lock on it that closing our file handle would release.
 */
export function createLogSync(file: string): LogSync {
  let handle: Promise<number> | null = null
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  function start(): Promise<void> {
    const work = syncOnce().finally(() => {
      running = undefined
    })
    running = work
    return work
  }

  async function syncOnce(): Promise<void> {
    handle ??= openFile(`${file}-wal`, 'r+')
    const opened = await handle.catch((error: unknown) => {
      handle = null
      throw error
    })
    await syncFile(opened)
  }

  function sync(): Promise<void> {
    if (running === undefined) return start()
    // The sync in progress may have begun before the last commit.
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined
        return start()
      })
    return next
  }

  return {
    sync,
    pending: () => next ?? running,
    async close() {
      await (next ?? running)?.catch(() => undefined)
      if (handle !== null) await closeFile(await handle)
      handle = null
    },
  }
}

/** For a database in memory. */
export const NO_SYNC: LogSync = Object.freeze({
  sync: () => Promise.resolve(),
  pending: () => undefined,
  close: () => Promise.resolve(),
})
