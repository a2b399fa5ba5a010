import { clientDisconnected, ProblemError } from '../../problem-response.ts'

/** Runs one study at a time, while a few wait: each takes a process, a core, and memory for all labelled debates. */
export interface StudyTurns {
  /** The signal ends the wait. `work` has to observe it too. */
  take<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result>
}

const MOST_WAITING = 4
const RETRY_AFTER_SECONDS = 10

export function createStudyTurns(refuse: () => ProblemError = tooManyStudies): StudyTurns {
  const waiting: (() => void)[] = []
  let isBusy = false
  const next = () => {
    const begin = waiting.shift()
    isBusy = begin !== undefined
    begin?.()
  }
  return {
    async take(work, signal) {
      if (waiting.length >= MOST_WAITING) throw refuse()
      if (isBusy) await ownTurn(waiting, signal)
      isBusy = true
      return work().finally(next)
    },
  }
}

function ownTurn(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = () => {
      signal.removeEventListener('abort', leave)
      resolve()
    }
    const leave = () => {
      waiting.splice(waiting.indexOf(begin), 1)
      reject(signal.reason)
    }
    if (signal.aborted) return reject(signal.reason)
    waiting.push(begin)
    signal.addEventListener('abort', leave, { once: true })
  })
}

function tooManyStudies(): ProblemError {
  const detail = 'Other evaluations and audits are in progress, and the queue is full.'
  return new ProblemError({ status: 503, detail, retryAfterSeconds: RETRY_AFTER_SECONDS })
}

/** A cache of results by a key of their input. */
export interface Remembered<Result> {
  /**
   * Callers with the same key share one computation. It is cancelled when the signals of all of them have fired. A caller
   * without a signal waits until it ends.
   */
  of(key: string, make: (signal: AbortSignal) => Promise<Result>, waiter?: AbortSignal): Promise<Result>
}

interface Making<Result> {
  readonly result: Promise<Result>
  readonly over: AbortController
  waiters: number
}

const MOST_RESULTS = 8

/** Keeps the latest few results. A failed one is computed again. */
export function createRemembered<Result>(): Remembered<Result> {
  const made = new Map<string, Result>()
  const underway = new Map<string, Making<Result>>()

  function begin(key: string, make: (signal: AbortSignal) => Promise<Result>): Making<Result> {
    const over = new AbortController()
    const making: Making<Result> = { result: make(over.signal), over, waiters: 0 }
    underway.set(key, making)
    const end = () => {
      if (underway.get(key) === making) underway.delete(key)
    }
    making.result.then((result) => {
      end()
      made.set(key, result)
      const [oldest] = made.keys()
      if (made.size > MOST_RESULTS && oldest !== undefined) made.delete(oldest)
    }, end)
    return making
  }

  function waitWith(key: string, making: Making<Result>, waiter: AbortSignal | undefined): void {
    const leave = () => {
      making.waiters -= 1
      if (making.waiters > 0 || underway.get(key) !== making) return
      underway.delete(key)
      making.over.abort(clientDisconnected())
    }
    making.waiters += 1
    if (waiter?.aborted === true) leave()
    else waiter?.addEventListener('abort', leave, { once: true })
    const forget = () => waiter?.removeEventListener('abort', leave)
    making.result.then(forget, forget)
  }

  return {
    async of(key, make, waiter) {
      const known = made.get(key)
      if (known !== undefined) return known
      const making = underway.get(key) ?? begin(key, make)
      waitWith(key, making, waiter)
      return making.result
    },
  }
}
