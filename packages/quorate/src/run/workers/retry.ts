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
