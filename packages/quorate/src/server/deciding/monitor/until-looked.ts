import { onAbort } from '../../../traffic/on-abort.ts'
import type { MonitorWatch } from './monitor-watch.ts'

/** Waits until the monitor has looked at everything that arrived. False: the signal fired before. */
export async function untilLooked(watch: Pick<MonitorWatch, 'behind'>, ending: AbortSignal): Promise<boolean> {
  for (let behind = watch.behind(); behind !== null; behind = watch.behind()) {
    if (ending.aborted) return false
    await unlessAborted(behind, ending)
  }
  return true
}

function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, resolve)
    work.then(resolve, reject).finally(stopListening)
  })
}
