import type { Sleep } from './traffic.ts'

export interface WakeUp {
  /** At this time, unless it is to be earlier already; never, if infinite. */
  at(time: number): void
}

/** One sleep at a time, to the nearest moment. */
export function wakeUp(now: () => number, sleep: Sleep, wake: () => void): WakeUp {
  let set: { readonly time: number; readonly stop: AbortController } | null = null
  return {
    at(time) {
      if (set !== null && set.time <= time) return
      set?.stop.abort('earlier')
      set = null
      if (!Number.isFinite(time)) return
      const own = { time, stop: new AbortController() }
      set = own
      void sleep(Math.max(0, time - now()), own.stop.signal).then(() => {
        if (set !== own) return
        set = null
        wake()
      })
    },
  }
}
