import { z } from 'zod'
import type { SharedRun, SharedStore, StoredWorker } from '../store/shared-store.ts'
import type { Run, Store } from '../store/store.ts'
import { queueOf } from './job-queue.ts'
import { createRunCounts, type RunCounts } from './run-counts.ts'

/** How far the shared runs of a store have come, and who works on them. */
export interface Status {
  readonly runs: readonly RunStatus[]
  readonly workers: readonly WorkerStatus[]
}

export interface RunStatus extends Pick<Run, 'id' | 'kind' | 'createdAt' | 'status' | 'configHash'>, RunCounts {
  readonly halt: SharedRun['halt']
  readonly capMicroUsd: number | null
  /** Those alive that take its questions: they have its config. */
  readonly servedBy: number
}

export interface WorkerStatus
  extends Pick<StoredWorker, 'name' | 'version' | 'debates' | 'inFlight' | 'ended' | 'answered' | 'takenOver'> {
  readonly id: string
  readonly queues: readonly string[]
  readonly upMs: number
  readonly silentMs: number
  readonly state: 'working' | 'idle' | 'silent' | 'ended'
}

export interface StatusReader {
  /** Of one run, or with null of those that are open. */
  read(runId: string | null): Promise<Status>
}

/** Beats are two seconds apart: who missed several is dead, or cannot reach the database. */
const SILENT_MS = 10_000
const SHOWN_MS = 10 * 60_000
const MOST_RUNS = 20

const queuesSchema = z.array(z.string())

/** `elapsed`: milliseconds, never going back. */
export function createStatusReader(store: Store, shared: SharedStore, elapsed: () => number): StatusReader {
  const counts = createRunCounts(store, elapsed)
  const statusOf = async (found: SharedRun, workers: readonly WorkerStatus[]): Promise<RunStatus | null> => {
    const run = await store.runs.find(found.runId)
    if (run === null) return null
    const { id, kind, createdAt, status, configHash } = run
    const { halt, capMicroUsd } = found
    const servedBy = workers.filter((worker) => isAlive(worker) && worker.queues.includes(queueOf(configHash))).length
    return { id, kind, createdAt, status, configHash, halt, capMicroUsd, servedBy, ...(await counts.of(run, found)) }
  }
  return {
    async read(runId) {
      const found = runId === null ? await shared.runs.open(MOST_RUNS) : [await shared.runs.find(runId)]
      const workers = (await shared.workers.list(SHOWN_MS)).map(workerOf)
      const runs = await Promise.all(found.map((run) => (run === null ? null : statusOf(run, workers))))
      return { runs: runs.filter((run) => run !== null), workers }
    },
  }
}

export function isAlive({ state }: WorkerStatus): boolean {
  return state === 'working' || state === 'idle'
}

/** True of a run that has questions for whoever takes them. */
export function isWaiting({ status, halt, statuses }: RunStatus): boolean {
  return status === 'open' && halt === null && statuses.pending > 0
}

function workerOf(worker: StoredWorker & { readonly silentMs: number }): WorkerStatus {
  const { id, name, version, debates, inFlight, ended, answered, takenOver, silentMs, seenAt, startedAt } = worker
  const isSilent = silentMs > SILENT_MS
  const state = worker.endedAt !== null ? 'ended' : isSilent ? 'silent' : debates > 0 ? 'working' : 'idle'
  const upMs = Math.max(0, seenAt - startedAt)
  const queues = queuesSchema.parse(JSON.parse(worker.queues))
  return { id, name, version, queues, debates, inFlight, ended, answered, takenOver, silentMs, upMs, state }
}
