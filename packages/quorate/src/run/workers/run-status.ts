import { z } from 'zod'
import { ledgerLineSchema } from '../../record/ledger.ts'
import { parseStored } from '../../record/parse-stored.ts'
import type { SharedRun, SharedStore, StoredWorker, WorkerStore } from '../../store/shared-store.ts'
import type { Millis, Run, Store } from '../../store/store.ts'
import { queueOf } from './job-queue.ts'
import { createRunCounts, type RunCounts } from './run-counts.ts'
import { readOptions } from './run-options.ts'

/** Progress of the shared runs of a store, and the workers. */
export interface Status {
  readonly runs: readonly RunStatus[]
  readonly workers: readonly WorkerStatus[]
}

export interface RunStatus extends Pick<Run, 'id' | 'kind' | 'createdAt' | 'status' | 'configHash'>, RunCounts {
  readonly halt: SharedRun['halt']
  readonly haltWords: SharedRun['haltWords']
  /** True: a single process took the run over, and workers leave it alone. */
  readonly isOwned: boolean
  /** True: the run belongs to a server, which may add questions at any time. */
  readonly isServed: boolean
  readonly capMicroUsd: number | null
  /** How many live workers take its questions: those with its config. */
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
  /**
   * Reads the status of one run. Null: of all open runs, followed by runs that ended recently or that this reader saw before,
   * newest first.
   */
  read(runId: string | null): Promise<Status>
}

/** Heartbeats are a second apart. A worker that missed several is dead, or cannot reach the database. */
const SILENT_MS = 10_000
const SHOWN_MS = 10 * 60_000
const MOST_RUNS = 20

const queuesSchema = z.array(z.string())

export interface Clocks {
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number
  readonly now: () => number
}

export function createStatusReader(store: Store, shared: SharedStore, { elapsed, now }: Clocks): StatusReader {
  const counts = createRunCounts(store, elapsed)
  const seen = new Set<string>()
  let hasReadEnded = false
  const statusOf = async (found: SharedRun, workers: readonly WorkerStatus[]): Promise<RunStatus | null> => {
    const run = await store.runs.find(found.runId)
    if (run === null) return null
    const { id, kind, createdAt, status, configHash } = run
    const { halt, haltWords, capMicroUsd } = found
    const servedBy = workers.filter((worker) => isAlive(worker) && hasConfig(worker, run)).length
    const isServed = readOptions(found.options).served !== null
    const isOwned = await shared.runs.isOwned(id)
    const about = { id, kind, createdAt, status, configHash, halt, haltWords, isOwned, isServed, capMicroUsd, servedBy }
    return { ...about, ...(await counts.of(run, found)) }
  }
  const openAndEnded = async (): Promise<readonly (SharedRun | null)[]> => {
    const open = await shared.runs.open(MOST_RUNS)
    // Ended runs are read once, after the open ones: a run that ends from now on was seen while it was open.
    if (!hasReadEnded) for (const runId of await recentlyEnded(store, shared, now())) seen.add(runId)
    hasReadEnded = true
    for (const { runId } of open) seen.add(runId)
    const isOpen = new Set(open.map(({ runId }) => runId))
    const others = [...seen].filter((runId) => !isOpen.has(runId))
    return [
      ...open,
      ...(await Promise.all(
        others
          .sort()
          .toReversed()
          .map((runId) => shared.runs.find(runId)),
      )),
    ]
  }
  return {
    async read(runId) {
      const found = runId === null ? await openAndEnded() : [await shared.runs.find(runId)]
      const workers = (await shared.workers.list(SHOWN_MS)).map(workerOf)
      const runs = await Promise.all(found.map((run) => (run === null ? null : statusOf(run, workers))))
      return { runs: runs.filter((run) => run !== null), workers }
    },
  }
}

export function hasConfig({ queues }: WorkerStatus, { configHash }: { readonly configHash: string }): boolean {
  return queues.includes(queueOf(configHash))
}

/** True if workers will not continue the run: it is done, or halted until a person resumes it. */
export function isOver({ status, halt, isOwned }: RunStatus): boolean {
  return status === 'done' || (halt !== null && !isOwned)
}

export function isAlive({ state }: WorkerStatus): boolean {
  return state === 'working' || state === 'idle'
}

/** True if the run has questions for workers. */
export function isWaiting(run: RunStatus): boolean {
  return !isOver(run) && !run.isOwned && run.statuses.pending > 0
}

export async function aliveWorkers(workers: Pick<WorkerStore, 'list'>): Promise<readonly WorkerStatus[]> {
  return (await workers.list(SILENT_MS)).map(workerOf).filter(isAlive)
}

function workerOf(worker: StoredWorker & { readonly silentMs: number }): WorkerStatus {
  const { id, name, version, debates, inFlight, ended, answered, takenOver, silentMs, seenAt, startedAt } = worker
  const isSilent = silentMs > SILENT_MS
  const state = worker.endedAt !== null ? 'ended' : isSilent ? 'silent' : debates > 0 ? 'working' : 'idle'
  const upMs = Math.max(0, seenAt - startedAt)
  const queues = parseStored(queuesSchema, worker.queues, `worker ${id}`)
  return { id, name, version, queues, debates, inFlight, ended, answered, takenOver, silentMs, upMs, state }
}

const RECENT_MS = 60 * 60_000
/** Only so many of the latest runs are checked. Older ones are shown with --run. */
const MOST_CHECKED = 20
const MOST_LISTED = 3

const closingSchema = ledgerLineSchema.pick({ at: true })

/** Ids of shared runs that ended within the last hour, newest first. */
async function recentlyEnded(store: Store, { runs }: SharedStore, now: Millis): Promise<readonly string[]> {
  const isRecent = async ({ id }: Run) => {
    const [shared, head] = await Promise.all([runs.find(id), store.ledger.head(id)])
    if (shared === null || head === null) return false
    return now - parseStored(closingSchema, head.line, `the ledger of run ${id}`).at < RECENT_MS
  }
  const done = (await store.runs.list(MOST_CHECKED)).filter(({ status }) => status === 'done')
  const areRecent = await Promise.all(done.map(isRecent))
  return done
    .filter((_, index) => areRecent[index])
    .slice(0, MOST_LISTED)
    .map(({ id }) => id)
}
