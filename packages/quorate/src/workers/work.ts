import { errorSentence } from '../report/error-sentence.ts'
import type { Job } from '../runs/run-job.ts'
import type { RunPlan } from '../runs/run-plan.ts'
import { debatesAtOnce, holdUnlessHeld } from '../runs/run-questions.ts'
import type { StoredWorker } from '../store/shared-store.ts'
import { StoreError } from '../store/store-error.ts'
import { closeEnded } from './close-ended.ts'
import type { HeldJob, JobQueue } from './job-queue.ts'
import type { Lease } from './lease.ts'
import { isPassing } from './patience.ts'
import { openSharedJob, type SharedJobTools, underFence } from './shared-job.ts'

export interface Worker {
  readonly plan: RunPlan
  readonly tools: SharedJobTools
  readonly queue: JobQueue
  readonly me: Pick<StoredWorker, 'id' | 'name' | 'version' | 'queues'>
  readonly lease: Lease
  /** Reads what other workers found out about models and providers. */
  readonly refreshLimits: () => Promise<void>
  /** A line for whoever watches this worker. */
  readonly say: (words: string) => void
}

export interface WorkerTally {
  readonly ended: number
  readonly answered: number
  readonly takenOver: number
}

/** How long a worker without work waits before it looks again, and how often it says that it is there. */
const IDLE_MS = 500
const BEAT_MS = 2000
/** Debates end close together: they are handed in, and others taken, some at a time. */
const GATHER_MS = 25
const AGAIN_MS = 1000

/** Takes jobs and holds their debates until it is told to stop; what is in flight then is finished and handed on. */
export async function work(worker: Worker): Promise<WorkerTally> {
  const { tools } = worker
  const state: State = {
    jobs: new Map(),
    held: new Map(),
    ended: [],
    counts: { ended: 0, takenOver: 0 },
    answered: new Map(),
    startedAt: tools.now(),
    wake: () => {},
  }
  const beating = beat(worker, state)
  while (!tools.stopping.aborted) {
    await patiently(worker, async () => {
      await handIn(worker, state)
      const free = roomIn(worker, state)
      const taken = free === 0 ? [] : await worker.queue.take(free)
      for (const job of taken) begin(worker, state, job)
      if (taken.length < free || free === 0) await nextChange(worker, state, taken.length === 0 ? IDLE_MS : GATHER_MS)
    })
  }
  await Promise.all([...state.held.values()].map(({ work: own }) => own))
  await patiently(worker, () => handIn(worker, state))
  await beating
  await patiently(worker, () => closeEnded(tools))
  return tallyOf(state)
}

/** Changes as the worker goes on. */
interface State {
  /** By run. */
  readonly jobs: Map<string, Promise<Job>>
  /** By job. */
  readonly held: Map<string, { readonly job: HeldJob; readonly work: Promise<void>; readonly abandon: () => void }>
  ended: { readonly job: HeldJob; readonly how: 'done' | 'release' }[]
  readonly counts: { ended: number; takenOver: number }
  /** By run. */
  readonly answered: Map<string, () => number>
  readonly startedAt: number
  wake: () => void
}

function roomIn({ plan }: Worker, { held }: State): number {
  return Math.max(0, debatesAtOnce({ plan }) - held.size)
}

function begin(worker: Worker, state: State, job: HeldJob): void {
  const leaving = new AbortController()
  const own = hold(worker, state, { job, leaving: leaving.signal }).then((how) => {
    state.held.delete(job.id)
    if (how !== 'lost') state.ended.push({ job, how })
    state.wake()
  })
  state.held.set(job.id, { job, work: own, abandon: () => leaving.abort() })
}

interface Holding {
  readonly job: HeldJob
  /** Fires when somebody else may have the job by now. */
  readonly leaving: AbortSignal
}

/** `lost`: somebody else has it by now. */
async function hold(worker: Worker, state: State, { job, leaving }: Holding): Promise<'done' | 'release' | 'lost'> {
  const { tools, say } = worker
  const { runId, questionId } = job
  const fence = tools.newId()
  try {
    const shared = await jobOf(worker, state, runId)
    const taken = await tools.shared.runs.take(runId, questionId, { fence, at: tools.now() })
    if (taken === null) return 'done'
    if (job.retryCount > 0) state.counts.takenOver += 1
    const ended = await holdUnlessHeld(underFence(shared, fence, leaving), taken.question)
    if (ended.kind === 'held') state.counts.ended += 1
    else if (ended.reason === 'interrupted') return 'release'
    else await tools.shared.runs.halt(runId, ended.reason)
    return 'done'
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'fenced') return 'lost'
    if (isPassing(error)) return 'release'
    say(`question ${JSON.stringify(questionId)} of run ${runId} failed: ${errorSentence(error)}`)
    await tools.shared.runs.giveUp(runId, questionId, fence).catch(() => {})
    return 'done'
  }
}

function jobOf({ plan, tools }: Worker, { jobs, answered }: State, runId: string): Promise<Job> {
  const known = jobs.get(runId)
  if (known !== undefined) return known
  const opening = openSharedJob(plan, tools, runId)
  jobs.set(runId, opening)
  opening.then(
    ({ purse }) => answered.set(runId, () => purse.spent().answered),
    () => jobs.delete(runId),
  )
  return opening
}

async function handIn({ queue }: Worker, state: State): Promise<void> {
  const ended = state.ended
  if (ended.length === 0) return
  state.ended = []
  try {
    await queue.done(ended.filter(({ how }) => how === 'done').map(({ job }) => job))
    await queue.release(ended.filter(({ how }) => how === 'release').map(({ job }) => job))
  } catch (error) {
    state.ended.push(...ended)
    throw error
  }
}

async function nextChange({ tools }: Worker, state: State, milliseconds: number): Promise<void> {
  const woken = new AbortController()
  state.wake = () => woken.abort()
  const stopping = () => woken.abort()
  tools.stopping.addEventListener('abort', stopping, { once: true })
  if (state.ended.length === 0 && !tools.stopping.aborted) await tools.sleep(milliseconds, woken.signal)
  tools.stopping.removeEventListener('abort', stopping)
  if (!tools.stopping.aborted) await tools.sleep(GATHER_MS, tools.stopping)
}

/** Says that worker and jobs are alive, and ends runs that have nothing left, until nothing is held any more. */
async function beat(worker: Worker, state: State): Promise<void> {
  const { tools, queue, me } = worker
  const isOver = () => tools.stopping.aborted && state.held.size === 0
  const seen = (endedAt: number | null) =>
    tools.shared.workers.seen({
      ...{ ...me, startedAt: state.startedAt, endedAt, ...tallyOf(state) },
      debates: state.held.size,
      inFlight: tools.traffic.load().inFlight,
    })
  while (!isOver()) {
    await patiently(worker, async () => {
      // Whoever was away must not renew what others have by now.
      if (worker.lease.isOver()) for (const { abandon } of state.held.values()) abandon()
      const alive = worker.lease.begin()
      await Promise.all([
        seen(null),
        queue.beat([...state.held.values()].map(({ job }) => job)),
        worker.refreshLimits(),
      ])
      alive()
      await closeEnded(tools)
      await giveUpDead(worker)
    })
    for (let waited = 0; waited < BEAT_MS && !isOver(); waited += IDLE_MS) await tools.sleep(IDLE_MS)
  }
  await patiently(worker, () => seen(tools.now()))
}

/** A question that took worker after worker down is not asked again. */
async function giveUpDead({ queue, tools, say }: Worker): Promise<void> {
  const dead = await queue.takeDead(100)
  for (const { runId, questionId } of dead) {
    say(`question ${JSON.stringify(questionId)} of run ${runId} was tried too often and is given up`)
    await tools.shared.runs.giveUp(runId, questionId, null)
  }
  await queue.buryDead(dead)
}

function tallyOf({ counts, answered }: State): WorkerTally {
  return { ...counts, answered: [...answered.values()].reduce((sum, of) => sum + of(), 0) }
}

/** The database may be away: the worker waits and goes on. */
async function patiently({ tools, say }: Worker, action: () => Promise<void>): Promise<void> {
  try {
    await action()
  } catch (error) {
    say(`will try again: ${errorSentence(error)}`)
    await tools.sleep(AGAIN_MS, tools.aborting)
  }
}
