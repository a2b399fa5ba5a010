import { StoreError } from '../record/store-error.ts'
import type { SharedRun, SharedStore } from '../store/shared-store.ts'
import type { LedgerEntry, Millis, Spend, Store } from '../store/store.ts'
import { freeRuns } from './pages.ts'
import { type RunTally, tallyRun } from './progress.ts'
import type { RunContext, RunTools } from './run-context.ts'
import type { RunResult } from './run-to-end.ts'
import { readOptions } from './workers/run-options.ts'

/** Closes a run of this process if no question is pending, and returns its result. `ended`: questions that it settled. */
export async function closeRun(
  run: RunContext,
  { tally, halt, ended, warning }: Pick<RunResult, 'tally' | 'halt' | 'warning'> & { readonly ended: number },
): Promise<RunResult> {
  const { tools, opened, calls } = run
  const { store, now } = tools
  const { id: runId, status } = opened.run
  await keepSums(run)
  const spend = await store.calls.spend(runId)
  checkSpend(run, spend)
  const { pending } = tally.statuses
  if (pending === 0 && (ended > 0 || status === 'open')) {
    // The fence keeps a process that was replaced from closing the run.
    await store.ledger.append(closingEntry(runId, tally, spend, now()), opened.fence)
    await store.runs.finish(runId)
  }
  const head = await store.ledger.head(runId)
  const why = pending === 0 ? null : halt
  return {
    runId,
    tally,
    spend,
    halt: why,
    warning: why === null ? null : warning,
    head: head?.hash ?? '',
    notices: calls.notices.all(),
  }
}

/**
 * Only saves later readers work: without stored sums, `spend` adds up all calls itself. So a store that is busy or full does not
 * keep the run from ending.
 */
async function keepSums({ tools: { store }, opened }: RunContext): Promise<void> {
  try {
    while (await store.calls.keepSums(opened.run.id));
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
  }
}

/** The cap was enforced with the sums in memory, so they must equal those of the store. */
function checkSpend({ calls: { meter } }: RunContext, spend: Spend): void {
  const { committedMicroUsd, reservedMicroUsd } = meter.spent()
  if (committedMicroUsd === spend.committedMicroUsd && reservedMicroUsd === spend.reservedMicroUsd) return
  throw new Error(
    `closeRun: expected ${spend.committedMicroUsd} + ${spend.reservedMicroUsd} micro-dollars as the store has them, got ` +
      `${committedMicroUsd} + ${reservedMicroUsd}. This is a defect. Please report it`,
  )
}

function closingEntry(runId: string, { statuses, acted, deferred }: RunTally, spend: Spend, at: Millis): LedgerEntry {
  const body = { statuses, acted, deferred, spend: { ...spend } }
  return { runId, kind: 'run-closed', at, body, texts: [] }
}

interface Closing {
  readonly now: RunTools['now']
  readonly store: Store
  readonly shared: SharedStore
}

/** Closes shared runs without pending questions; the first worker to notice does it. Throws only after all were tried. */
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
  // A server may add questions to its run at any time.
  if (readOptions(options).served !== null) return
  if (await shared.runs.hasPending(runId)) return
  const tally = await tallyRun(store, runId)
  const spend = await store.calls.spend(runId)
  try {
    await shared.runs.close(runId, closingEntry(runId, tally, spend, now()))
  } catch (error) {
    if (!(error instanceof StoreError && error.kind === 'busy')) throw error
  }
}
