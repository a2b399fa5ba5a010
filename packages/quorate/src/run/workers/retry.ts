import { StoreError } from '../../record/store-error.ts'
import { errorSentence } from '../../text/error-sentence.ts'
import type { Sleep } from '../../traffic/traffic.ts'

/** A full disk or a read-only server is fixed by an operator, sooner or later, and a reply that was paid for waits for that. */
const TEMPORARY: ReadonlySet<string> = new Set(['unreachable', 'busy', 'disk-full', 'read-only'])

/** Whether the store may recover without this process, for example when its database restarts. */
export function isTemporary(error: unknown): boolean {
  return error instanceof StoreError && TEMPORARY.has(error.kind)
}

export interface RetryWhileUnavailableOptions {
  readonly sleep: Sleep
  /** Fires when the retries must end. */
  readonly aborting: AbortSignal
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number
  /** Called once when the wait begins, and once when it is over. */
  readonly log: (words: string) => void
}

const FIRST_MS = 250
const MOST_MS = 5000
/** Longer than a restart takes, shorter than anyone would wait for a database that is gone. */
const GIVE_UP_MS = 15 * 60_000

export type RetryWhileUnavailable = <Result>(action: (isRetry: boolean) => Promise<Result>) => Promise<Result>

/** Retries an action until the database is back. `isRetry`: an earlier try may have been written already. */
export function createRetryWhileUnavailable({
  sleep,
  aborting,
  elapsed,
  log,
}: RetryWhileUnavailableOptions): RetryWhileUnavailable {
  let waiting = 0
  return async (action) => {
    const start = elapsed()
    let isWaiting = false
    const stopWaiting = (isBack: boolean) => {
      if (isWaiting && --waiting === 0 && isBack) log('the database is back')
    }
    for (let wait = FIRST_MS; ; wait = Math.min(MOST_MS, wait * 2)) {
      try {
        const result = await action(isWaiting)
        stopWaiting(true)
        return result
      } catch (error) {
        if (!isTemporary(error) || aborting.aborted || elapsed() - start > GIVE_UP_MS) {
          stopWaiting(!isTemporary(error))
          throw error
        }
        if (!isWaiting && waiting++ === 0) log(`waiting for the database: ${errorSentence(error)}`)
        isWaiting = true
        await sleep(wait, aborting)
      }
    }
  }
}

export interface RetryLoopOptions {
  readonly sleep: Sleep
  /** Fires when the retries must end. */
  readonly stopping: AbortSignal
  readonly failures: FailureLog
  /** Longest wait between two turns, in milliseconds. */
  readonly mostMs?: number
}

/** Resolves even if the action failed, so that the loop takes another turn. Rejects if no further turn will help. */
export type RetryLoop = (action: () => Promise<void>) => Promise<void>

const FIRST_TURN_MS = 1000
const MOST_TURN_MS = 8000
/** An error that is not temporary and lasts for so long counts as permanent. */
const GIVE_UP_TURNS_MS = 60_000

/**
 * Keeps one loop of a worker running after failures. Each failure is logged once until a turn succeeds, and the waits between
 * turns grow. An unavailable database is waited for however long it takes.
 */
export function createRetryLoop({ sleep, stopping, failures, mostMs = MOST_TURN_MS }: RetryLoopOptions): RetryLoop {
  const loop = Symbol('loop')
  let wait = FIRST_TURN_MS
  let permanentMs = 0
  return async (action) => {
    try {
      await action()
    } catch (error) {
      failures.failed(loop, errorSentence(error))
      if (!isTemporary(error) && permanentMs >= GIVE_UP_TURNS_MS) throw error
      await sleep(wait, stopping)
      if (!isTemporary(error)) permanentMs += wait
      wait = Math.min(mostMs, 2 * wait)
      return
    }
    failures.succeeded(loop)
    wait = FIRST_TURN_MS
    permanentMs = 0
  }
}

/** The log of a worker's loops. A problem that several of them meet is logged once. */
export interface FailureLog {
  failed(loop: symbol, words: string): void
  succeeded(loop: symbol): void
}

export function createFailureLog(log: (words: string) => void): FailureLog {
  /** By message: the loops that have not succeeded since. */
  const failing = new Map<string, Set<symbol>>()
  return {
    failed(loop, words) {
      const known = failing.get(words)
      if (known === undefined) log(`will try again: ${words}`)
      failing.set(words, (known ?? new Set()).add(loop))
    },
    succeeded(loop) {
      if (failing.size === 0) return
      for (const [words, loops] of failing) {
        loops.delete(loop)
        if (loops.size === 0) failing.delete(words)
      }
      if (failing.size === 0) log('recovered')
    },
  }
}
