import type { DatabaseSync } from 'node:sqlite'
import type { Operation } from '../operation.ts'
import { type LogSync, NO_SYNC } from './log-sync.ts'
import type { Statements } from './statements.ts'

/** The most writes of one transaction, so that other processes and the event loop do not wait long. */
const MOST_AT_ONCE = 256

export interface GroupCommit {
  /** Resolves when the commit is on the disk. */
  write<Result>(operation: Operation<Result>): Promise<Result>
  /** Commits the waiting writes now. */
  flush(): void
}

interface Waiting {
  readonly run: () => unknown
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

interface Settle {
  readonly notify: () => void
  /** The sync failed, so it is unknown whether the write is on the disk. */
  readonly fail: (error: unknown) => void
}

/**
 * Commits and syncs together all writes that arrive in the same turn of the event loop or during another sync. A write does not
 * wait for writes of later turns: otherwise calls that were sent together would also return, and be sent again, together. Each
 * write has a savepoint, so a failed write does not affect the others.
 */
export function createGroupCommit(database: DatabaseSync, statements: Statements, log: LogSync = NO_SYNC): GroupCommit {
  let waiting: Waiting[] = []

  function write<Result>(operation: Operation<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      if (waiting.length === 0) begin()
      waiting.push({
        run: () => statements.run(operation),
        resolve: (result) => resolve(result as Result), // the result of `run` above
        reject,
      })
    })
  }

  /** Schedules the next transaction. It waits for a sync in progress, and writes that arrive meanwhile join it. */
  function begin(): void {
    const syncing = log.pending()
    if (syncing === undefined) setImmediate(flush)
    // The callers of the finished sync get their results first.
    else void syncing.catch(() => undefined).then(() => setImmediate(flush))
  }

  function flush(): void {
    const all = waiting
    waiting = []
    for (let start = 0; start < all.length; start += MOST_AT_ONCE) commit(all.slice(start, start + MOST_AT_ONCE))
  }

  function commit(batch: readonly Waiting[]): void {
    let settle: Settle[]
    try {
      settle = transaction(batch)
    } catch (error) {
      // A full disk can roll back the whole transaction. Then each write is retried alone and fails or succeeds by itself.
      if (batch.length > 1) for (const one of batch) commit([one])
      else for (const one of batch) one.reject(error)
      return
    }
    log.sync().then(
      () => {
        for (const { notify } of settle) notify()
      },
      (error: unknown) => {
        for (const { fail } of settle) fail(error)
      },
    )
  }

  /** Commits the batch, and returns how to settle each write once the commit is on the disk. */
  function transaction(batch: readonly Waiting[]): Settle[] {
    command('begin immediate')
    try {
      const settle = batch.map(attempt)
      command('commit')
      return settle
    } catch (error) {
      if (database.isTransaction) command('rollback')
      throw error
    }
  }

  function attempt({ run, resolve, reject }: Waiting): Settle {
    command('savepoint one')
    try {
      const result = run()
      command('release one')
      return { notify: () => resolve(result), fail: reject }
    } catch (error) {
      if (!database.isTransaction) throw error
      command('rollback to one')
      command('release one')
      return { notify: () => reject(error), fail: reject }
    }
  }

  function command(sql: string): void {
    statements.execute({ sql, parameters: [] })
  }

  return { write, flush }
}
