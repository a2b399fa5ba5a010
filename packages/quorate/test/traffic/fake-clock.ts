import { turnToRead } from '../../src/model/reply-turns.ts'
import type { Sleep } from '../../src/traffic/traffic.ts'

export interface FakeClock {
  now(): number
  readonly sleep: Sleep
  /** Lets time pass, from one sleeper to the next, until the promise is settled. */
  run<Value>(promise: Promise<Value>): Promise<Value>
  /** Lets this much time pass. */
  advance(milliseconds: number): Promise<void>
}

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

/** Time that advances only on request. Everything that can happen at one moment happens before the next. */
export function createFakeClock(): FakeClock {
  let time = 1_000_000
  let sleepers: Sleeper[] = []

  function wakeNext(): void {
    const [next] = sleepers.toSorted((a, b) => a.at - b.at)
    if (next === undefined) throw new Error('nothing can happen any more, and the promise is still open')
    time = Math.max(time, next.at)
    next.wake()
  }

  async function quiet(): Promise<void> {
    // Microtasks, however many follow from each other, are done before the next turn of the event loop.
    await new Promise(setImmediate)
    // Time-outs wait for the replies that have arrived.
    await turnToRead()
    await new Promise(setImmediate)
  }

  return {
    now: () => time,
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (milliseconds <= 0 || signal?.aborted) return resolve()
        const wake = () => {
          sleepers = sleepers.filter((one) => one !== sleeper)
          resolve()
        }
        const sleeper = { at: time + milliseconds, wake }
        sleepers.push(sleeper)
        signal?.addEventListener('abort', wake, { once: true })
      }),
    async run(promise) {
      let isOpen = true
      const closed = () => {
        isOpen = false
      }
      promise.then(closed, closed)
      for (await quiet(); isOpen; await quiet()) wakeNext()
      return promise
    },
    async advance(milliseconds) {
      const until = time + milliseconds
      for (await quiet(); sleepers.some(({ at }) => at <= until); await quiet()) wakeNext()
      time = until
      await quiet()
    },
  }
}
