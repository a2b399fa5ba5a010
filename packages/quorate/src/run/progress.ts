import type { QuestionStatus, Store } from '../store/store.ts'
import type { Spent } from './spend-meter.ts'

/** How far a run has come, over all its processes. */
export interface RunTally {
  readonly questions: number
  readonly statuses: Readonly<Record<QuestionStatus, number>>
  readonly acted: number
  readonly deferred: Readonly<Record<string, number>>
}

export interface RunProgress extends RunTally {
  /** Debates under way. */
  readonly running: number
  /** Questions that this process has brought to an end. */
  readonly ended: number
  readonly spent: Spent
}

export async function tallyRun(store: Store, runId: string): Promise<RunTally> {
  const statuses = await store.runs.counts(runId)
  const questions = Object.values(statuses).reduce((sum, count) => sum + count, 0)
  let acted = 0
  const deferred = new Map<string, number>()
  for (const { kind, reason, count } of await store.decisions.counts(runId)) {
    if (kind === 'act') acted += count
    else deferred.set(reason ?? '', count)
  }
  // The decision of a question that is asked again stands until there is another.
  for (const failure of ['agent-failure', 'time-out'] as const) {
    if (statuses[failure] === 0) deferred.delete(failure)
    else if (deferred.has(failure)) deferred.set(failure, statuses[failure])
  }
  return { questions, statuses, acted, deferred: Object.fromEntries([...deferred].sort()) }
}

/** What one more question adds. */
export function tallied(
  tally: RunTally,
  status: Exclude<QuestionStatus, 'pending'>,
  verdict: { readonly kind: 'act' } | { readonly kind: 'defer'; readonly reason: string } | null,
): RunTally {
  const statuses = { ...tally.statuses, pending: tally.statuses.pending - 1, [status]: tally.statuses[status] + 1 }
  const acted = tally.acted + (verdict?.kind === 'act' ? 1 : 0)
  if (verdict?.kind !== 'defer') return { ...tally, statuses, acted }
  const { reason } = verdict
  return { ...tally, statuses, acted, deferred: { ...tally.deferred, [reason]: (tally.deferred[reason] ?? 0) + 1 } }
}
