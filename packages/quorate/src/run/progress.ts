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
  /** Debates in progress. */
  readonly running: number
  /** Questions that this process has settled. */
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
  // A failed question that is asked again keeps its old decision until there is a new one, so its status counts.
  for (const failure of ['agent-failure', 'time-out'] as const) {
    if (statuses[failure] === 0) deferred.delete(failure)
    else if (deferred.has(failure)) deferred.set(failure, statuses[failure])
  }
  return { questions, statuses, acted, deferred: Object.fromEntries([...deferred].sort()) }
}

/** The tally after one more question. */
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
