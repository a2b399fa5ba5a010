import { tallyRun } from '../runs/run-tally.ts'
import type { SharedRun, SharedStore, StoredWorker } from '../store/shared-store.ts'
import type { QuestionStatus, Run, Spend, Store } from '../store/store.ts'

/** How far the shared runs of a store have come, and who works on them. */
export interface Status {
  readonly runs: readonly RunStatus[]
  readonly workers: readonly WorkerStatus[]
}

export interface RunStatus extends Pick<Run, 'id' | 'kind' | 'createdAt' | 'status'> {
  readonly halt: SharedRun['halt']
  readonly statuses: Readonly<Record<QuestionStatus, number>>
  readonly spend: Spend
  readonly capMicroUsd: number | null
}

export interface WorkerStatus
  extends Pick<StoredWorker, 'name' | 'version' | 'debates' | 'inFlight' | 'ended' | 'answered' | 'takenOver'> {
  readonly id: string
  readonly upMs: number
  readonly silentMs: number
  readonly state: 'working' | 'idle' | 'silent' | 'ended'
}

/** Beats are two seconds apart: who missed several is dead, or cannot reach the database. */
const SILENT_MS = 10_000
const SHOWN_MS = 10 * 60_000
const MOST_RUNS = 20

export async function readStatus(store: Store, shared: SharedStore, runId: string | null): Promise<Status> {
  const found = runId === null ? await shared.runs.open(MOST_RUNS) : [await shared.runs.find(runId)]
  const runs = await Promise.all(found.map((run) => (run === null ? null : statusOf(store, run))))
  const workers = (await shared.workers.list(SHOWN_MS)).map(workerOf)
  return { runs: runs.filter((run) => run !== null), workers }
}

async function statusOf(store: Store, { runId, halt, capMicroUsd }: SharedRun): Promise<RunStatus | null> {
  const run = await store.runs.find(runId)
  if (run === null) return null
  const { id, kind, createdAt, status } = run
  const [{ statuses }, spend] = await Promise.all([tallyRun(store, runId), store.calls.spend(runId)])
  return { id, kind, createdAt, status, halt, statuses, spend, capMicroUsd }
}

function workerOf(worker: StoredWorker & { readonly silentMs: number }): WorkerStatus {
  const { id, name, version, debates, inFlight, ended, answered, takenOver, silentMs, seenAt, startedAt } = worker
  const isSilent = silentMs > SILENT_MS
  const state = worker.endedAt !== null ? 'ended' : isSilent ? 'silent' : debates > 0 ? 'working' : 'idle'
  const upMs = Math.max(0, seenAt - startedAt)
  return { id, name, version, debates, inFlight, ended, answered, takenOver, silentMs, upMs, state }
}
