import type { RunPlan } from '../run-plan.ts'
import { freeRuns } from './free-runs.ts'
import type { JobQueue } from './job-queue.ts'
import type { SharedRunTools } from './shared-run.ts'

export interface Refilling {
  readonly plan: Pick<RunPlan, 'hash'>
  readonly tools: Pick<SharedRunTools, 'shared' | 'store'>
  readonly queue: Pick<JobQueue, 'add'>
}

/** Of one run in one turn, and of all. */
const PAGE = 1000
const MOST_AT_ONCE = 5000

/**
 * Jobs for questions that are pending and may have none: a job is a hint, and one may have been handed in while its run
 * was halted, or was another process's. Those that have one are left out by the queue. Each turn goes on where the last
 * one ended.
 */
export function createRefill({ plan, tools, queue }: Refilling): () => Promise<void> {
  const { store, shared } = tools
  const positions = new Map<string, number>()
  let start = ''
  return async () => {
    let added = 0
    for await (const { runId, halt } of freeRuns(shared, start)) {
      if (halt !== null) continue
      if (added >= MOST_AT_ONCE) return
      start = runId
      if ((await store.runs.find(runId))?.configHash !== plan.hash) continue
      const page = { after: positions.get(runId) ?? -1, limit: PAGE, status: 'pending' as const }
      const pending = await store.runs.questions(runId, page)
      const last = pending.at(-1)
      if (last !== undefined && pending.length === PAGE) positions.set(runId, last.position)
      else positions.delete(runId)
      if (last === undefined) continue
      await queue.add(
        pending.map(({ questionId }) => ({ runId, questionId })),
        shared.jobs,
      )
      added += pending.length
    }
    start = ''
  }
}
