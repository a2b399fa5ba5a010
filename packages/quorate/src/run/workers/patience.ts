import { StoreError } from '../../record/store-error.ts'
import { errorSentence } from '../../text/error-sentence.ts'
import type { Sleep } from '../../traffic/traffic.ts'

/** A disk that is full and a server that only reads are mended by others, soon or not: a reply waits for that. */
const PASSING: ReadonlySet<string> = new Set(['unreachable', 'busy', 'disk-full', 'read-only'])

/** What passes by itself: a database that restarts, or has no room for the moment. */
export function isPassing(error: unknown): boolean {
  return error instanceof StoreError && PASSING.has(error.kind)
}

export interface Patience {
  readonly sleep: Sleep
  /** Fires when waiting is no use any more. */
  readonly aborting: AbortSignal
  /** Milliseconds, never going back. */
  readonly elapsed: () => number
  /** Told once when the wait begins, and once when it is over. */
  readonly say: (words: string) => void
}

const FIRST_MS = 250
const MOST_MS = 5000
/** Longer than a restart, shorter than anybody waits for a database that is gone. */
const GIVE_UP_MS = 15 * 60_000

export type Patiently = <Result>(action: (isAgain: boolean) => Promise<Result>) => Promise<Result>

/** Does it again until the database is back. `isAgain`: it may have been done already. */
export function createPatience({ sleep, aborting, elapsed, say }: Patience): Patiently {
  let waiting = 0
  return async (action) => {
    const start = elapsed()
    let isWaiting = false
    const stopWaiting = (isBack: boolean) => {
      if (isWaiting && --waiting === 0 && isBack) say('the database is back')
    }
    for (let wait = FIRST_MS; ; wait = Math.min(MOST_MS, wait * 2)) {
      try {
        const result = await action(isWaiting)
        stopWaiting(true)
        return result
      } catch (error) {
        if (!isPassing(error) || aborting.aborted || elapsed() - start > GIVE_UP_MS) {
          stopWaiting(!isPassing(error))
          throw error
        }
        if (!isWaiting && waiting++ === 0) say(`waiting for the database: ${errorSentence(error)}`)
        isWaiting = true
        await sleep(wait, aborting)
      }
    }
  }
}
