import { onAbort } from './on-abort.ts'

/** Node fires longer timers immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Sleeps on Node's timers, however long. */
export async function timerSleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  for (let left = milliseconds; left > 0 && !signal?.aborted; left -= LONGEST_TIMER_MS) {
    await oneTimer(Math.min(left, LONGEST_TIMER_MS), signal)
  }
}

function oneTimer(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      stopListening?.()
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    const stopListening = signal && onAbort(signal, done)
  })
}
