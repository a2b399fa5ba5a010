import { onAbort } from '../../../traffic/on-abort.ts'
import { ProblemError, serverStopping } from '../../problem-response.ts'
import type { ServiceContext } from '../service-context.ts'
import type { MonitorWatch } from './monitor-watch.ts'

/** Waits until the monitor has assessed everything that arrived. False: the signal fired before. */
export async function untilAssessed(watch: Pick<MonitorWatch, 'behind'>, stopping: AbortSignal): Promise<boolean> {
  for (let behind = watch.behind(); behind !== null; behind = watch.behind()) {
    if (stopping.aborted) return false
    await unlessAborted(behind, stopping)
  }
  return true
}

/** Shorter than the timeouts of most clients. */
const MOST_WAIT_MS = 20_000
const RETRY_AFTER_SECONDS = 10

/** Waits for the monitor on behalf of a request, because nothing may act before it has assessed everything that arrived. */
export async function waitForMonitor({ tools, watch }: ServiceContext): Promise<void> {
  if (watch.behind() === null) return
  const over = new AbortController()
  const stopping = AbortSignal.any([tools.stopping, over.signal])
  void tools.sleep(MOST_WAIT_MS, stopping).then(() => over.abort())
  const isAssessed = await untilAssessed(watch, stopping)
  over.abort()
  if (isAssessed) return
  if (tools.stopping.aborted) throw serverStopping()
  throw new ProblemError({
    status: 503,
    detail: 'The monitor is still reading the decisions that arrived.',
    next: 'Retry in a moment.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, resolve)
    work.then(resolve, reject).finally(stopListening)
  })
}
