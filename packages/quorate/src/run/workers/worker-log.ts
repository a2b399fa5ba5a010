import { countOf } from '../../text/number-text.ts'

/** Logs the work of a worker, in so few lines that they can be kept for months. */
export interface WorkerLog {
  /** The worker claimed a question of this run. */
  took(runId: string): void
  /** Called every few seconds; a line is written when there is news. */
  report(seen: { readonly ended: number; readonly answered: number; readonly debates: number }): void
}

const EVERY_MS = 30_000

export function createWorkerLog(log: (words: string) => void, elapsed: () => number): WorkerLog {
  const runs = new Set<string>()
  let last = { at: elapsed(), ended: 0, answered: 0 }
  let busyAt = elapsed()
  let isWaiting = true
  return {
    took(runId) {
      if (isWaiting) last = { ...last, at: elapsed() }
      isWaiting = false
      busyAt = elapsed()
      if (runs.has(runId)) return
      runs.add(runId)
      log(`takes questions from run ${runId}`)
    },
    report({ ended, answered, debates }) {
      const at = elapsed()
      if (debates > 0) busyAt = at
      const forMs = at - last.at
      if (isWaiting || forMs < EVERY_MS) return
      const soFar = `so far ${countOf(ended, 'debate')}, ${countOf(answered, 'call')}`
      if (at - busyAt >= EVERY_MS) {
        isWaiting = true
        // A run is named again when it has questions again.
        runs.clear()
        log(`waits for questions (${soFar})`)
      } else if (answered > last.answered) {
        const perSecond = (((answered - last.answered) * 1000) / forMs).toFixed(1)
        const news = `${countOf(ended - last.ended, 'debate')} ended, ${perSecond} calls/s in ${Math.round(forMs / 1000)} s`
        log(`${news}, ${debates} in progress (${soFar})`)
      } else return
      last = { at, ended, answered }
    },
  }
}

const MINUTE_MS = 60_000

/** Logs the same message at most once a minute. Background work that fails repeats its error every few seconds. */
export function throttledLog(log: (words: string) => void, elapsed: () => number): (words: string) => void {
  const loggedAt = new Map<string, number>()
  return (words) => {
    const now = elapsed()
    for (const [known, at] of loggedAt) if (now - at >= MINUTE_MS) loggedAt.delete(known)
    if (loggedAt.has(words)) return
    loggedAt.set(words, now)
    log(words)
  }
}
