import { tallyRun } from '../runs/run-tally.ts'
import { StoreError } from '../store/store-error.ts'
import { readOptions } from './run-options.ts'
import type { SharedJobTools } from './shared-job.ts'

const MOST_RUNS = 100

/** Ends runs in which nothing is pending any more; whichever worker sees it first. */
export async function closeEnded({
  shared,
  store,
  now,
}: Pick<SharedJobTools, 'shared' | 'store' | 'now'>): Promise<void> {
  for (const { runId, options } of await shared.runs.open(MOST_RUNS)) {
    // A server may add to its run at any time.
    if (readOptions(options).served !== null) continue
    if (await shared.runs.hasPending(runId)) continue
    const { statuses, acted, deferred } = await tallyRun(store, runId)
    const spend = await store.calls.spend(runId)
    const body = { statuses, acted, deferred, spend: { ...spend } }
    try {
      await shared.runs.close(runId, { runId, kind: 'run-closed', at: now(), body, texts: [] })
    } catch (error) {
      if (!(error instanceof StoreError && error.kind === 'busy')) throw error
    }
  }
}
