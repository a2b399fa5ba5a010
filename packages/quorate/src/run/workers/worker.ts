import { z } from 'zod'
import { parseStored } from '../../record/parse-stored.ts'
import type { StoredWorker, WorkerStore } from '../../store/shared-store.ts'
import { errorSentence } from '../../text/error-sentence.ts'
import { closeEnded } from '../close-run.ts'
import { freeRuns } from '../pages.ts'
import type { Queue } from '../queue.ts'
import { RunError, type RunPlan } from '../run-plan.ts'
import { debatesAtOnce, type PassRunner, startWork, type WorkLoop } from '../work.ts'
import type { JobQueue, LeasedJob } from './job-queue.ts'
import type { Lease } from './lease.ts'
import { createOpenRuns, type OpenRuns } from './open-runs.ts'
import { createFailureLog, createPassRunner } from './pass-runner.ts'
import { createSharedQueue, IDLE_MS, type SharedClaim } from './shared-queue.ts'
import type { SharedRunTools } from './shared-run.ts'
import { createWorkerLog, throttledLog } from './worker-log.ts'

export interface Worker {
  readonly plan: RunPlan
  readonly tools: SharedRunTools
  readonly queue: JobQueue
  readonly me: Pick<StoredWorker, 'id' | 'name' | 'version' | 'queues'>
  readonly lease: Lease
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number
  /** Reads the number of live workers, and what they found out about models and providers. Called after each heartbeat. */
  readonly refreshLimits: () => Promise<void>
  /** Writes a line to the log. */
  readonly log: (words: string) => void
}

export interface WorkerTally {
  readonly ended: number
  readonly answered: number
  readonly takenOver: number
}

const HEARTBEAT_MS = 1000
/** A worker without a database session is gone if its last heartbeat is older than this. */
const GONE_MS = 1500
/** Between two checks for dead workers. */
const CHECK_MS = 500
/**
 * After an outage of the database no worker has a session at first. So a worker looks for dead workers only after its own
 * session has lasted this long.
 */
const SETTLED_MS = 5000
/** Between two passes of housekeeping. */
const TIDY_MS = 2000
/** After this many passes of housekeeping in a row with nothing to claim, a worker searches for questions without a job. */
const IDLE_PASSES = 5
const DEAD_LETTERS_AT_ONCE = 20

/**
 * Works on questions of all runs with its config until it is stopped. Then questions in flight are finished or released.
 * Heartbeats and housekeeping run beside the loop. Throws if a permanent error kept it from working for a minute.
 */
export async function runWorker(given: Worker): Promise<WorkerTally> {
  const failing = new AbortController()
  const stopping = AbortSignal.any([given.tools.stopping, failing.signal])
  const worker: Worker = { ...given, tools: { ...given.tools, stopping } }
  const { plan, tools, queue: jobs, lease, log, elapsed } = worker
  const errors: unknown[] = []
  const running = { sleep: tools.sleep, stopping, failures: createFailureLog(log) }
  const vital = (runner: PassRunner): PassRunner => {
    const fail = (error: unknown) => {
      errors.push(error)
      failing.abort()
    }
    return { ...runner, run: (pass) => runner.run(pass).catch(fail) }
  }
  const runs = createOpenRuns(plan, tools)
  const counts = { ended: 0, takenOver: 0 }
  const workerLog = createWorkerLog(log, elapsed)
  const onTaken = ({ job }: SharedClaim) => {
    workerLog.took(job.runId)
    if (job.retryCount > 0) counts.takenOver += 1
  }
  const keepJobs = (leased: readonly LeasedJob[]) => tools.shared.workers.keepJobs(worker.me.id, JSON.stringify(leased))
  const queue = createSharedQueue({
    jobs,
    runs,
    tools,
    log,
    logThrottled: throttledLog(log, elapsed),
    onTaken,
    keepJobs,
  })
  const loop = startWork({
    queue,
    // While the lease is over, nothing may be sent, so a new claim would be lost at once.
    room: () => (lease.isOver() ? 0 : debatesAtOnce(plan)),
    stopping,
    runner: vital(createPassRunner(running)),
    onSettled() {
      counts.ended += 1
    },
  })
  const state: State = { queue, loop, runs, workerLog, tally: () => ({ ...counts, answered: runs.answered() }) }
  // `mostMs`: a longer wait between two heartbeats would lose the jobs.
  const heartbeats = sendHeartbeats(worker, state, vital(createPassRunner({ ...running, mostMs: 1000 })))
  const tidying = tidy(worker, state, () => createPassRunner(running))
  const reassigning = keepReassigning(worker, createPassRunner(running))
  await loop.ended
  await Promise.all([heartbeats, tidying, reassigning])
  await createPassRunner(running).runLast(() => closeEnded(tools))
  if (errors.length > 0) throw stuckError(errors[0])
  return state.tally()
}

function stuckError(error: unknown): RunError {
  const words = 'this worker exits and leaves its questions to other workers. An error stopped its work for a minute'
  return new RunError(`${words}: ${errorSentence(error)}`, { cause: error })
}

interface State {
  readonly queue: Queue<SharedClaim>
  readonly loop: WorkLoop<SharedClaim>
  readonly runs: OpenRuns
  readonly workerLog: ReturnType<typeof createWorkerLog>
  readonly tally: () => WorkerTally
}

/** Reports that the worker and its jobs are alive, until nothing is in progress. */
async function sendHeartbeats(
  worker: Worker,
  { queue, loop, workerLog, tally }: State,
  runner: PassRunner,
): Promise<void> {
  const { tools, me, lease } = worker
  const startedAt = tools.now()
  const isOver = () => tools.stopping.aborted && loop.inProgress().length === 0
  const seen = (endedAt: number | null) =>
    tools.shared.workers.seen({
      ...me,
      ...tally(),
      startedAt,
      endedAt,
      debates: loop.inProgress().length,
      inFlight: tools.traffic.load().inFlight,
    })
  const renew = async () => {
    const heartbeatArrived = lease.begin()
    const inProgress = loop.inProgress()
    const ours = await queue.renew(inProgress.map(({ claim }) => claim))
    // A worker that was away abandons what others have by now, before it may send again.
    for (const { claim, abandon } of inProgress) if (!ours.includes(claim)) abandon()
    heartbeatArrived()
  }
  while (!isOver()) {
    await runner.run(async () => {
      await Promise.all([renew(), seen(null).then(worker.refreshLimits)])
    })
    workerLog.report({ ...tally(), debates: loop.inProgress().length })
    for (let waited = 0; waited < HEARTBEAT_MS && !isOver(); waited += IDLE_MS) await tools.sleep(IDLE_MS)
  }
  await runner.runLast(() => seen(tools.now()))
}

/** A failure here does not end the worker, because the queue itself redelivers the jobs later. */
async function keepReassigning(worker: Worker, runner: PassRunner): Promise<void> {
  const { sleep, stopping } = worker.tools
  const reassign = createReassign(worker)
  while (!stopping.aborted) {
    await Promise.allSettled([runner.run(reassign)])
    await sleep(CHECK_MS, stopping)
  }
}

const jobsSchema = z.array(z.object({ id: z.string(), runId: z.string(), questionId: z.string(), retryCount: z.int() }))

export interface Reassigning {
  readonly queue: Pick<JobQueue, 'release'>
  readonly tools: { readonly shared: { readonly workers: Pick<WorkerStore, 'gone' | 'keepJobs' | 'keepSession'> } }
  readonly me: Pick<StoredWorker, 'id' | 'queues'>
  readonly elapsed: () => number
  readonly log: (words: string) => void
}

/**
 * Reassigns the jobs of dead workers, which have no session in the database and send no heartbeats. The queue alone would wait
 * until their heartbeats expire. A worker must be found gone twice in a row, by a worker that has had a session of its own for
 * a while. A slow worker keeps its session, and with it its questions. If a live worker is found gone by mistake, its next
 * heartbeat reports which jobs it has lost, and their fences keep it from writing.
 */
export function createReassign({ queue, tools, me, elapsed, log }: Reassigning): () => Promise<void> {
  const { workers } = tools.shared
  let suspects = new Set<string>()
  let connectedAt = elapsed()
  return async () => {
    if (await workers.keepSession(me.id)) connectedAt = elapsed()
    if (elapsed() - connectedAt < SETTLED_MS) {
      suspects = new Set()
      return
    }
    const gone = (await workers.gone(GONE_MS)).filter(({ queues }) => queues === me.queues)
    const found = gone.filter(({ id }) => suspects.has(id))
    suspects = new Set(gone.map(({ id }) => id))
    for (const { id, name, jobs } of found) {
      // The queue ignores jobs that have ended or that other workers have by now.
      await queue.release(parseStored(jobsSchema, jobs, `the jobs of worker ${name}`))
      await workers.keepJobs(id, '[]')
      log(`worker ${name} is gone: its questions go to other workers`)
    }
  }
}

/** Housekeeping. A failure in one task ends neither the worker nor the other tasks. */
async function tidy(worker: Worker, { loop, runs }: State, newRunner: () => PassRunner): Promise<void> {
  const { tools } = worker
  const { sleep, stopping } = tools
  const [closing, givingUp, refilling] = [newRunner(), newRunner(), newRunner()]
  const refill = createRefill(worker)
  for (let idlePasses = 0; !stopping.aborted; ) {
    idlePasses = loop.isIdle() ? idlePasses + 1 : 0
    const tasks = [closing.run(() => closeEnded(tools)), givingUp.run(() => giveUpDeadLetters(worker))]
    if (idlePasses >= IDLE_PASSES) {
      idlePasses = 0
      tasks.push(refilling.run(refill))
    }
    // Failures are already logged.
    await Promise.allSettled(tasks)
    runs.forgetIdle()
    await sleep(TIDY_MS, stopping)
  }
}

/** Gives up questions that failed on worker after worker. */
async function giveUpDeadLetters({ queue, tools, log }: Worker): Promise<void> {
  for (const job of await queue.takeDeadLetters(DEAD_LETTERS_AT_ONCE)) {
    const { runId, questionId } = job
    log(`question ${JSON.stringify(questionId)} of run ${runId} failed too often and is given up`)
    await tools.shared.runs.giveUp(runId, questionId, null)
    await queue.completeDeadLetters([job])
  }
}

export interface Refilling {
  readonly plan: { readonly hash: string }
  readonly tools: Pick<SharedRunTools, 'shared' | 'store'>
  readonly queue: Pick<JobQueue, 'add'>
}

/** The most questions of one run that are added at a time. */
const PAGE = 1000
/** Once this many questions of all runs are added, the rest waits for the next time. */
const MOST_AT_ONCE = 5000

/**
 * Adds jobs for pending questions that may have none. A job is only a hint: it may have been completed while its run was halted
 * or belonged to another process. The queue skips questions that have a job. Each pass continues where the last one ended.
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
