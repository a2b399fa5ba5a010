import type { PanelPlan } from '../debate/panel.ts'
import { StoreError } from '../record/store-error.ts'
import type { RunQuestion, Spend } from '../store/store.ts'
import type { Notice } from './calls/notices.ts'
import { payForCalls } from './calls/pay-for-call.ts'
import { startDeadline } from './debate-deadline.ts'
import { type Held, type Holding, holdQuestion } from './hold-question.ts'
import { pages } from './pages.ts'
import { heldJob, holdNotice } from './policy-hold.ts'
import { addMissingReviews } from './review-items.ts'
import type { Job } from './run-job.ts'
import { type RunProgress, type RunTally, tallied, tallyRun } from './run-tally.ts'
import { settleQuestion } from './settle-question.ts'
import { readStoredQuestion } from './stored-question.ts'

export interface RunHooks {
  /** Called whenever a debate begins or ends. */
  readonly tell?: (progress: RunProgress) => void
}

export interface RunResult {
  readonly runId: string
  readonly tally: RunTally
  readonly spend: Spend
  /** Why questions are left; null when none is. */
  readonly halt: 'spend-cap' | 'interrupted' | null
  /** Last hash of the run's ledger. */
  readonly head: string
  /** What this process has to say: settings that were dropped, agents that failed, models that were others. */
  readonly notices: readonly Notice[]
}

/**
 * Holds the debates of a run, several at a time, until none is left, the money is spent or it is told to stop. Whatever
 * has come back is committed by then: the run can be resumed from there, also after a kill.
 */
export async function runQuestions(job: Job, { tell }: RunHooks = {}): Promise<RunResult> {
  const { store } = job.tools
  const runId = job.opened.run.id
  if (job.opened.isResumed) await addMissingReviews(store, runId, job.tools.newSalt)
  const state: State = { tally: await tallyRun(store, runId), running: 0, ended: 0, halt: null, failure: null }
  const pending = pages(
    (page) => store.runs.questions(runId, { ...page, status: 'pending' }),
    -1,
    ({ position }) => position,
  )
  const told = () => tell?.({ ...state.tally, running: state.running, ended: state.ended, spent: job.purse.spent() })
  await Promise.all(Array.from({ length: debatesAtOnce(job) }, () => work(job, { state, pending, told })))
  if (state.failure !== null) throw state.failure.error
  return close(job, state)
}

/** Changes as the run goes on. */
interface State {
  tally: RunTally
  running: number
  ended: number
  halt: RunResult['halt']
  failure: { readonly error: unknown } | null
}

interface Work {
  readonly state: State
  readonly pending: AsyncGenerator<RunQuestion>
  readonly told: () => void
}

/** Twice what fills the slots: while some debates wait for their slowest agent others go on. */
export function debatesAtOnce({ plan: { panel, limits } }: Pick<Job, 'plan'>): number {
  return Math.max(1, Math.ceil((2 * limits.traffic.concurrency) / callsAtOnce(panel)))
}

function callsAtOnce({ agents, sizes, samples }: PanelPlan): number {
  const asked = sizes === null ? [agents.length] : sizes.map((size, round) => size - (sizes[round - 1] ?? 0))
  return Math.max(1, Math.min(...asked)) * Math.max(1, samples)
}

async function work(job: Job, { state, pending, told }: Work): Promise<void> {
  while (state.halt === null && state.failure === null && !job.tools.stopping.aborted) {
    const next = await pending.next()
    if (next.done === true) return
    state.running += 1
    told()
    try {
      const ended = await holdUnlessHeld(job, next.value)
      if (ended.kind === 'paused') state.halt ??= ended.reason
      else {
        state.ended += 1
        state.tally = tallied(state.tally, ended.status, ended.verdict)
      }
    } catch (error) {
      // Others finish what they have in flight, then the first failure is reported.
      state.failure ??= { error }
    }
    state.running -= 1
    told()
  }
  if (job.tools.stopping.aborted) state.halt ??= 'interrupted'
}

/** Another process may hold the policy at any time: it is asked before each debate, and in the commit of an action. */
export async function holdUnlessHeld(job: Job, row: RunQuestion): Promise<Ended> {
  if (job.deciding === null || job.opened.run.isShadow) return holdOne(job, row)
  const hold = await job.tools.store.policy.lastingHold()
  if (hold !== null) job.desk.notices.tell(holdNotice(hold))
  return holdOne(heldJob(job, hold !== null), row)
}

export type Ended =
  | Extract<Held, { kind: 'paused' }>
  | (Pick<Extract<Held, { kind: 'held' }>, 'verdict'> & {
      readonly kind: 'held'
      readonly status: 'done' | 'agent-failure' | 'time-out' | 'error'
    })

/** What a server does otherwise than a run of the command line. */
export interface HoldHooks extends Pick<Holding, 'tell'> {
  readonly settle?: typeof settleQuestion
}

export async function holdOne(job: Job, row: RunQuestion, hooks: HoldHooks = {}): Promise<Ended> {
  const { plan, deciding, desk, tools } = job
  // Its text was erased before it was asked.
  if (row.question === null) return giveUp(job, row)
  const deadline = startDeadline(plan.limits.debateTimeoutMs, tools)
  try {
    const ask = payForCalls(desk, deadline.signal)
    const { tell, settle = settleQuestion } = hooks
    const holding = { plan, deciding, ask, stopping: tools.stopping, notices: desk.notices, ...(tell && { tell }) }
    const held = await holdQuestion(holding, readStoredQuestion(row.question), row.isDrawn)
    return held.kind === 'held' ? await settle(job, held, row) : held
  } catch (error) {
    // While it was debated: nothing of it is written any more, and the others go on.
    if (error instanceof StoreError && error.kind === 'erased') return giveUp(job, row)
    throw error
  } finally {
    deadline.end()
  }
}

async function giveUp({ tools }: Job, { runId, questionId }: RunQuestion): Promise<Ended> {
  await tools.store.runs.setQuestion(runId, questionId, 'error')
  return { kind: 'held', status: 'error', verdict: null }
}

async function close(job: Job, { tally, halt, ended }: State): Promise<RunResult> {
  const { store, now } = job.tools
  const { run } = job.opened
  const spend = await store.calls.spend(run.id)
  checkSpend(job, spend)
  if (tally.statuses.pending === 0 && (ended > 0 || run.status === 'open')) {
    const body = { statuses: tally.statuses, acted: tally.acted, deferred: tally.deferred, spend: { ...spend } }
    // A process that was replaced may not say that the run is over.
    await store.ledger.append({ runId: run.id, kind: 'run-closed', at: now(), body, texts: [] }, job.opened.fence)
    await store.runs.finish(run.id)
  }
  const head = await store.ledger.head(run.id)
  const why = tally.statuses.pending === 0 ? null : halt
  return { runId: run.id, tally, spend, halt: why, head: head?.hash ?? '', notices: job.desk.notices.all() }
}

/** The cap was held against the sums in memory: they must be the store's. */
function checkSpend({ purse }: Job, spend: Spend): void {
  const { committedMicroUsd, reservedMicroUsd } = purse.spent()
  if (committedMicroUsd === spend.committedMicroUsd && reservedMicroUsd === spend.reservedMicroUsd) return
  throw new Error(
    `runQuestions: expected ${spend.committedMicroUsd} + ${spend.reservedMicroUsd} micro-dollars as the store has them, got ` +
      `${committedMicroUsd} + ${reservedMicroUsd}; this is a defect, please report it`,
  )
}
