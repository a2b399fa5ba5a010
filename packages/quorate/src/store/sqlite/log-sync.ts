import { close, fdatasync, open } from 'node:fs'
import { promisify } from 'node:util'

/** Brings what was committed to the disk, beside the event loop: a sync takes milliseconds in which others can be served. */
export interface LogSync {
  /** Resolves once all that was committed before the call is on the disk. */
  sync(): Promise<void>
  /** Resolves once all that was committed so far is on the disk; undefined: it is. */
  pending(): Promise<void> | undefined
  close(): Promise<void>
}

const [openFile, syncFile, closeFile] = [promisify(open), promisify(fdatasync), promisify(close)]

/**
 * SQLite writes each commit into the log and, with `synchronous = normal`, leaves its sync to us; before a checkpoint it
 * syncs by itself. Commits made while one sync runs share the next. The log stays the same file while a connection is
 * open, and SQLite holds no lock on it that our handle could end.
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
    // What runs already may have begun before the last commit.
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

/** Of a database in memory. */
export const NO_SYNC: LogSync = Object.freeze({
  sync: () => Promise.resolve(),
  pending: () => undefined,
  close: () => Promise.resolve(),
})
