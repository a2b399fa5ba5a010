import { errorSentence } from '../../text/error-sentence.ts'
import type { Sleep } from '../../traffic/traffic.ts'
import { isPassing } from './patience.ts'

export interface TryAgainOptions {
  readonly sleep: Sleep
  /** Fires when waiting is no use any more. */
  readonly stopping: AbortSignal
  readonly voice: Voice
  /** Longest wait between two turns. */
  readonly mostMs?: number
}

/** Resolves also where the action failed, for another turn; rejects where no turn will help. */
export type TryAgain = (action: () => Promise<void>) => Promise<void>

const FIRST_MS = 1000
const MOST_MS = 8000
/** What does not pass by itself, and did not for so long, is there to stay. */
const GIVE_UP_MS = 60_000

/**
 * One loop of a worker, which goes on after failures. Each is said once until a turn goes well, and the waits between
 * turns grow. A database that is away is waited for however long it takes.
 */
export function createTryAgain({ sleep, stopping, voice, mostMs = MOST_MS }: TryAgainOptions): TryAgain {
  const loop = Symbol('loop')
  let wait = FIRST_MS
  let permanentMs = 0
  return async (action) => {
    try {
      await action()
    } catch (error) {
      voice.failed(loop, errorSentence(error))
      if (!isPassing(error) && permanentMs >= GIVE_UP_MS) throw error
      await sleep(wait, stopping)
      if (!isPassing(error)) permanentMs += wait
      wait = Math.min(mostMs, 2 * wait)
      return
    }
    voice.wentWell(loop)
    wait = FIRST_MS
    permanentMs = 0
  }
}

/** What the loops of one worker say: what several of them meet is said once. */
export interface Voice {
  failed(loop: symbol, words: string): void
  wentWell(loop: symbol): void
}

export function createVoice(say: (words: string) => void): Voice {
  /** Loops that have not gone well since, by the words. */
  const failing = new Map<string, Set<symbol>>()
  return {
    failed(loop, words) {
      const known = failing.get(words)
      if (known === undefined) say(`will try again: ${words}`)
      failing.set(words, (known ?? new Set()).add(loop))
    },
    wentWell(loop) {
      if (failing.size === 0) return
      for (const [words, loops] of failing) {
        loops.delete(loop)
        if (loops.size === 0) failing.delete(words)
      }
      if (failing.size === 0) say('goes on')
    },
  }
}
