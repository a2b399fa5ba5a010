import { StoreError } from '../../record/store-error.ts'
import type { SharedRun } from '../../store/shared-store.ts'
import { tallyRun } from '../run-tally.ts'
import { freeRuns } from './free-runs.ts'
import { readOptions } from './run-options.ts'
import type { SharedJobTools } from './shared-job.ts'

type Closing = Pick<SharedJobTools, 'shared' | 'store' | 'now'>

/** Ends runs in which nothing is pending any more; whichever worker sees it first. Throws after all were looked at. */
export async function closeEnded(tools: Closing): Promise<void> {
  const failures: unknown[] = []
  for await (const run of freeRuns(tools.shared)) {
    try {
      await closeIfEnded(tools, run)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

async function closeIfEnded({ shared, store, now }: Closing, { runId, options }: SharedRun): Promise<void> {
  // A server may add to its run at any time.
  if (readOptions(options).served !== null) return
  if (await shared.runs.hasPending(runId)) return
  const { statuses, acted, deferred } = await tallyRun(store, runId)
  const spend = await store.calls.spend(runId)
  const body = { statuses, acted, deferred, spend: { ...spend } }
  try {
    await shared.runs.close(runId, { runId, kind: 'run-closed', at: now(), body, texts: [] })
  } catch (error) {
    if (!(error instanceof StoreError && error.kind === 'busy')) throw error
  }
}
