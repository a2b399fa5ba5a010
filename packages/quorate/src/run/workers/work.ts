import { StoreError } from '../../record/store-error.ts'
import type { StoredWorker } from '../../store/shared-store.ts'
import type { RunQuestion } from '../../store/store.ts'
import { errorSentence } from '../../text/error-sentence.ts'
import { RunError, type RunPlan } from '../run-plan.ts'
import { debatesAtOnce } from '../run-questions.ts'
import { closeEnded } from './close-ended.ts'
import { createDiary, type Diary } from './diary.ts'
import { holdTaken } from './hold-taken.ts'
import type { HeldJob, JobQueue } from './job-queue.ts'
import type { Lease } from './lease.ts'
import { createOpenRuns, type OpenRuns } from './open-runs.ts'
import { isPassing } from './patience.ts'
import { createRefill } from './refill.ts'
import { seldom } from './seldom.ts'
import { NotOurs, type SharedJob, type SharedJobTools, underFence } from './shared-job.ts'
import { createTryAgain, createVoice, type TryAgain } from './try-again.ts'

export interface Worker {
  readonly plan: RunPlan
  readonly tools: SharedJobTools
  readonly queue: JobQueue
  readonly me: Pick<StoredWorker, 'id' | 'name' | 'version' | 'queues'>
  readonly lease: Lease
  /** Milliseconds, never going back. */
  readonly elapsed: () => number
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
/** How many turns of tidying a worker is without work before it looks for questions without a job. */
const IDLE_TURNS = 5
const DEAD_AT_ONCE = 20
/** Debates end close together: they are handed in, and others taken, some at a time. */
const GATHER_MS = 25

/**
 * Takes jobs and holds their debates until it is told to stop; what is in flight then is finished and handed on. Throws
 * when for a minute it could do nothing for a reason that does not pass by itself.
 */
export async function work(asked: Worker): Promise<WorkerTally> {
  const failing = new AbortController()
  const stopping = AbortSignal.any([asked.tools.stopping, failing.signal])
  const worker: Worker = { ...asked, tools: { ...asked.tools, stopping } }
  const { plan, tools } = worker
  const state: State = {
    runs: createOpenRuns(plan, tools),
    held: new Map(),
    ended: [],
    counts: { ended: 0, takenOver: 0 },
    startedAt: tools.now(),
    isIdle: false,
    quietly: seldom(worker.say, worker.elapsed),
    diary: createDiary(worker.say, worker.elapsed),
    failure: null,
    wake: () => {},
  }
  const loop = { sleep: tools.sleep, stopping, voice: createVoice(worker.say) }
  const vital = (tryAgain: TryAgain): TryAgain => {
    const fail = (error: unknown) => {
      state.failure ??= { error }
      failing.abort()
    }
    return (action) => tryAgain(action).catch(fail)
  }
  // Whoever waits longer between two signs of life loses its jobs.
  const beating = beat(worker, state, vital(createTryAgain({ ...loop, mostMs: 1000 })))
  const tidying = tidy(worker, state, () => createTryAgain(loop))
  const taking = vital(createTryAgain(loop))
  while (!stopping.aborted) await taking(() => takeJobs(worker, state))
  await Promise.all([...state.held.values()].map(({ work: own }) => own))
  const last = createTryAgain(loop)
  await last(() => handIn(worker, state))
  await Promise.all([beating, tidying])
  await last(() => closeEnded(tools))
  if (state.failure !== null) throw inVain(state.failure.error)
  return tallyOf(state)
}

async function takeJobs(worker: Worker, state: State): Promise<void> {
  await handIn(worker, state)
  // Whoever was away may send nothing before its next sign of life: what it took it would give up at once.
  const free = worker.lease.isOver() ? 0 : roomIn(worker, state)
  const taken = free === 0 ? [] : await worker.queue.take(free)
  state.isIdle = free > 0 && taken.length === 0
  for (const job of taken) begin(worker, state, job)
  if (taken.length < free || free === 0) await nextChange(worker, state, taken.length === 0 ? IDLE_MS : GATHER_MS)
}

function inVain(error: unknown): RunError {
  const words = `this worker ends: for a minute it could do nothing, because: ${errorSentence(error)}`
  return new RunError(`${words}; its questions go to other workers`, { cause: error })
}

/** Changes as the worker goes on. */
interface State {
  readonly runs: OpenRuns
  /** By job and attempt. */
  readonly held: Map<string, { readonly job: HeldJob; readonly work: Promise<void>; readonly abandon: () => void }>
  ended: { readonly job: HeldJob; readonly how: 'done' | 'release' }[]
  readonly counts: { ended: number; takenOver: number }
  readonly startedAt: number
  /** True: it has room, and there was nothing to take. */
  isIdle: boolean
  /** Says the same words seldom. */
  readonly quietly: (words: string) => void
  readonly diary: Diary
  /** Why the worker must end. */
  failure: { readonly error: unknown } | null
  wake: () => void
}

function roomIn({ plan }: Worker, { held }: State): number {
  return Math.max(0, debatesAtOnce({ plan }) - held.size)
}

function begin(worker: Worker, state: State, job: HeldJob): void {
  const leaving = new AbortController()
  // A job that was lost may come back while its first attempt is still ending here.
  const attempt = `${job.id} ${job.retryCount}`
  for (const earlier of state.held.values()) if (earlier.job.id === job.id) earlier.abandon()
  const own = hold(worker, state, { job, leaving: leaving.signal }).then((how) => {
    // Where one agent's call failed the others' may still wait to be sent, and somebody else asks them from here on.
    leaving.abort()
    state.held.delete(attempt)
    state.ended.push({ job, how })
    state.wake()
  })
  state.held.set(attempt, { job, work: own, abandon: () => leaving.abort() })
}

interface Holding {
  readonly job: HeldJob
  /** Fires when somebody else may have the job by now. */
  readonly leaving: AbortSignal
}

type How = State['ended'][number]['how']

async function hold(worker: Worker, state: State, { job, leaving }: Holding): Promise<How> {
  const { tools } = worker
  const { runId, questionId } = job
  const fence = tools.newId()
  let isTaken = false
  try {
    return await state.runs.within(runId, async (run) => {
      const taken = await tools.shared.runs.take(runId, questionId, { fence, at: tools.now() })
      if (taken === null) return 'done'
      isTaken = true
      state.diary.took(runId)
      if (job.retryCount > 0) state.counts.takenOver += 1
      return holdQuestion(worker, state, { run: underFence(run, fence, leaving), question: taken.question })
    })
  } catch (error) {
    // Where somebody else has it by now, it is not ours to release, and nothing happens.
    if (isPassing(error) || (error instanceof StoreError && error.kind === 'fenced')) return 'release'
    // Released it would come back at once; whoever is idle finds it again.
    if (error instanceof NotOurs) {
      state.quietly(error.message)
      return 'done'
    }
    return giveUp(worker, job, { fence, isTaken, error })
  }
}

interface Holdable {
  readonly run: SharedJob
  readonly question: RunQuestion
}

async function holdQuestion({ tools }: Worker, { counts }: State, { run, question }: Holdable): Promise<How> {
  const { runId, questionId } = question
  const ended = await holdTaken(run, question, tools.shared)
  if (ended.kind === 'held') counts.ended += 1
  else if (ended.reason === 'interrupted') return 'release'
  else await tools.shared.runs.halt(runId, ended.reason, { questionId, fence: run.opened.fence })
  return 'done'
}

interface Failure {
  readonly fence: string
  readonly isTaken: boolean
  readonly error: unknown
}

/** The question becomes an error; where even that cannot be written it stays in the queue. */
async function giveUp({ tools, say }: Worker, job: HeldJob, { fence, isTaken, error }: Failure): Promise<How> {
  const { runs } = tools.shared
  const { runId, questionId } = job
  try {
    if (!isTaken && (await runs.take(runId, questionId, { fence, at: tools.now() })) === null) return 'done'
    say(`question ${JSON.stringify(questionId)} of run ${runId} failed: ${errorSentence(error)}`)
    await runs.giveUp(runId, questionId, fence)
    return 'done'
  } catch (unwritten) {
    say(`question ${JSON.stringify(questionId)} goes back to the queue: ${errorSentence(unwritten)}`)
    return 'release'
  }
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

/** Says that worker and jobs are alive, until nothing is held any more. */
async function beat(worker: Worker, state: State, loop: TryAgain): Promise<void> {
  const { tools, queue, me } = worker
  const isOver = () => tools.stopping.aborted && state.held.size === 0
  const seen = (endedAt: number | null) =>
    tools.shared.workers.seen({
      ...{ ...me, startedAt: state.startedAt, endedAt, ...tallyOf(state) },
      debates: state.held.size,
      inFlight: tools.traffic.load().inFlight,
    })
  while (!isOver()) {
    await loop(async () => {
      const alive = worker.lease.begin()
      const asked = [...state.held.values()]
      const [ours] = await Promise.all([queue.beat(asked.map(({ job }) => job)), seen(null), worker.refreshLimits()])
      // Whoever was away goes on with what nobody else has by now, before it may send again.
      for (const { job, abandon } of asked) if (!ours.includes(job)) abandon()
      alive()
    })
    state.diary.look({ ...tallyOf(state), debates: state.held.size })
    for (let waited = 0; waited < BEAT_MS && !isOver(); waited += IDLE_MS) await tools.sleep(IDLE_MS)
  }
  await loop(() => seen(tools.now()))
}

/** Whatever fails here ends no worker, and keeps nothing else from being done. */
async function tidy(worker: Worker, state: State, loop: () => TryAgain): Promise<void> {
  const { tools } = worker
  const { sleep, stopping } = tools
  const [closing, burying, refilling] = [loop(), loop(), loop()]
  const refill = createRefill(worker)
  for (let idleTurns = 0; !stopping.aborted; ) {
    idleTurns = state.isIdle ? idleTurns + 1 : 0
    const turns = [closing(() => closeEnded(tools)), burying(() => giveUpDead(worker))]
    if (idleTurns >= IDLE_TURNS) {
      idleTurns = 0
      turns.push(refilling(refill))
    }
    // What failed was said by then.
    await Promise.allSettled(turns)
    state.runs.forgetIdle()
    await sleep(BEAT_MS, stopping)
  }
}

/** A question that took worker after worker down is not asked again. */
async function giveUpDead({ queue, tools, say }: Worker): Promise<void> {
  for (const job of await queue.takeDead(DEAD_AT_ONCE)) {
    const { runId, questionId } = job
    say(`question ${JSON.stringify(questionId)} of run ${runId} was tried too often and is given up`)
    await tools.shared.runs.giveUp(runId, questionId, null)
    await queue.buryDead([job])
  }
}

function tallyOf({ counts, runs }: State): WorkerTally {
  return { ...counts, answered: runs.answered() }
}
