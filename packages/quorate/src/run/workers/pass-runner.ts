import { errorSentence } from '../../text/error-sentence.ts'
import type { Sleep } from '../../traffic/traffic.ts'
import type { PassRunner } from '../work.ts'
import { isTemporary } from './retry.ts'

export interface PassRunnerOptions {
  readonly sleep: Sleep
  /** Fires when the worker must stop. Nothing waits from then on. */
  readonly stopping: AbortSignal
  readonly failures: FailureLog
  /** Longest wait after a failed pass, in milliseconds. */
  readonly mostMs?: number
}

const FIRST_WAIT_MS = 1000
const MOST_WAIT_MS = 8000
/** An error that is not temporary and lasts for so long counts as permanent. */
const GIVE_UP_MS = 60_000

/**
 * Runs the passes of one loop of a worker. Each failure is logged once until a pass succeeds, and the waits after failures grow.
 * An unavailable database is waited for however long it takes. A permanent error rejects.
 */
export function createPassRunner({ sleep, stopping, failures, mostMs = MOST_WAIT_MS }: PassRunnerOptions): PassRunner {
  const loop = Symbol('loop')
  let wait = FIRST_WAIT_MS
  let permanentMs = 0
  return {
    async run(pass) {
      try {
        await pass()
      } catch (error) {
        failures.failed(loop, errorSentence(error), { isLast: stopping.aborted })
        if (!isTemporary(error) && permanentMs >= GIVE_UP_MS) throw error
        await sleep(wait, stopping)
        if (!isTemporary(error)) permanentMs += wait
        wait = Math.min(mostMs, 2 * wait)
        return
      }
      failures.succeeded(loop)
      wait = FIRST_WAIT_MS
      permanentMs = 0
    },
    async runLast(action) {
      try {
        await action()
      } catch (error) {
        failures.failed(loop, errorSentence(error), { isLast: true })
      }
    },
  }
}

/** The log of a worker's loops. A problem that several of them meet is logged once. */
export interface FailureLog {
  /** `isLast`: the worker stops, so it may not try again. */
  failed(loop: symbol, words: string, attempt: { readonly isLast: boolean }): void
  succeeded(loop: symbol): void
}

export function createFailureLog(log: (words: string) => void): FailureLog {
  /** By message: the loops that have not succeeded since. */
  const failing = new Map<string, Set<symbol>>()
  return {
    failed(loop, words, { isLast }) {
      const known = failing.get(words)
      if (known === undefined) log(`${isLast ? 'failed while stopping' : 'will try again'}: ${words}`)
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
