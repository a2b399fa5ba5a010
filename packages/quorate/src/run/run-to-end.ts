import type { PauseReason } from '../debate/ask.ts'
import type { Question } from '../record/question.ts'
import { isAlwaysReviewed } from '../record/review-rules.ts'
import type { Millis, RunQuestion, Spend, Store } from '../store/store.ts'
import { createTraffic } from '../traffic/create-traffic.ts'
import type { Traffic } from '../traffic/traffic.ts'
import type { Certified } from './calibration/certified.ts'
import type { Notice } from './calls/notices.ts'
import type { PaidModel } from './calls/pay-for-call.ts'
import { closeRun } from './close-run.ts'
import { type Deciding, type Permissions, prepareDeciding } from './deciding.ts'
import { createEarlyWarning } from './early-warning.ts'
import { type OpenedRun, openRun, type ResumeOptions } from './open-run.ts'
import { pages } from './pages.ts'
import { type RunProgress, type RunTally, tallied, tallyRun } from './progress.ts'
import { createLocalQueue } from './queue.ts'
import { createRunContext, type RunContext, type RunTools } from './run-context.ts'
import type { RunPlan } from './run-plan.ts'
import { type Intake, takeIn } from './take-in.ts'
import { debatesAtOnce, startWork } from './work.ts'

/** A run that has not touched the store yet. */
export interface PreparedRun {
  readonly plan: RunPlan
  readonly intake: Intake
  /** Null for a run that only debates. */
  readonly deciding: Deciding | null
  /** Questions that a rule keeps from the panel, and so from calibration. Those of a run that decides are deferred. */
  readonly ruled: number
}

/** Time, chance and names, which come from outside. */
export interface RunWorld
  extends Pick<RunTools, 'now' | 'sleep' | 'newId' | 'newSalt' | 'newKey' | 'stopping' | 'aborting'> {
  /** A clock that never goes back. */
  readonly elapsed: () => Millis
  /** In [0, 1). */
  readonly random: () => number
}

export interface RunToEndOptions extends ResumeOptions {
  readonly store: Store
  /** By agent. */
  readonly models: ReadonlyMap<string, PaidModel>
  readonly world: RunWorld
  /** Absent: limits of its own. Given: it shares them with other runs of this process. */
  readonly traffic?: Traffic
}

export interface RunObserver {
  readonly onOpened?: (opened: OpenedRun) => void
  /** Called whenever a debate begins or ends. */
  readonly onProgress?: (progress: RunProgress) => void
}

export interface RunResult {
  readonly runId: string
  readonly tally: RunTally
  readonly spend: Spend
  /** Why questions are left; null when none is. */
  readonly halt: PauseReason | null
  /** What was seen where the run stopped early, and what to do next; null where it did not. */
  readonly warning: string | null
  /** Last hash of the run's ledger. */
  readonly head: string
  /** What this process has to report: settings that were dropped, agents that failed, models that were others. */
  readonly notices: readonly Notice[]
}

/** Reads the questions and compares panel and questions with the certificate, before anything is asked or written. */
export async function prepareRun(
  plan: RunPlan,
  questions: AsyncIterable<Question>,
  certified: (Permissions & { readonly certified: Certified }) | null,
): Promise<PreparedRun> {
  let ruled = 0
  const { alwaysReview } = plan.panel
  // A certificate is about questions that reach the panel: others are not calibrated on.
  async function* reaching(): AsyncGenerator<Question> {
    for await (const question of questions) {
      if (plan.kind === 'debate' && isAlwaysReviewed(alwaysReview, question)) ruled += 1
      else yield question
    }
  }
  const intake = await takeIn(reaching())
  if (certified === null) return { plan, intake, deciding: null, ruled }
  const asked = { panel: plan.panel, rows: intake.rows }
  return { plan, intake, deciding: prepareDeciding(certified.certified, asked, certified), ruled }
}

/** Begins or resumes the run and works until nothing of it is pending: what `debate`, `decide` and `demo` do. */
export async function runToEnd(
  { plan, intake, deciding }: PreparedRun,
  { store, models, world, resume, retryErrors, traffic: shared }: RunToEndOptions,
  { onOpened, onProgress }: RunObserver = {},
): Promise<RunResult> {
  const { elapsed, random, ...tools } = world
  const { now, newId, newKey, sleep } = tools
  const traffic = shared ?? createTraffic({ limits: plan.limits.traffic, now: elapsed, sleep, random })
  const opened = await openRun(store, { plan, intake, deciding, resume, retryErrors, now, newId, newKey })
  onOpened?.(opened)
  const run = await createRunContext(
    plan,
    { ...tools, store, models, traffic, warning: createEarlyWarning(plan) },
    { opened, deciding },
  )
  return workToEnd(run, onProgress)
}

/**
 * Works on the questions of an opened run until none is left, the money is spent or the process is to stop. Everything that
 * came back is committed by then: the run can be resumed from there, also after a kill.
 */
export async function workToEnd(run: RunContext, onProgress?: RunObserver['onProgress']): Promise<RunResult> {
  const { tools, opened } = run
  const { store, stopping } = tools
  const { id: runId } = opened.run
  let tally = await tallyRun(store, runId)
  let [running, ended] = [0, 0]
  let halt: RunResult['halt'] = null
  const notify = () => onProgress?.({ ...tally, running, ended, spent: run.calls.meter.spent() })
  const queue = createLocalQueue<RunQuestion>({
    questions: pendingQuestions(store, runId),
    idOf: ({ questionId }) => questionId,
    open: (row) => ({ run, row, terms: { kind: 'command' } }),
    paused(_, reason) {
      halt ??= reason
      queue.close()
    },
    failed(_, error) {
      throw error
    },
  })
  const work = startWork({
    queue,
    room: () => debatesAtOnce(run.plan),
    stopping,
    onBegin() {
      running += 1
      notify()
    },
    onSettled(_, { status, verdict }) {
      ended += 1
      tally = tallied(tally, status, verdict)
    },
    onEnd() {
      running -= 1
      notify()
    },
  })
  await work.ended
  const warning = tools.warning?.found() ?? null
  if (warning !== null) halt = warning.kind
  if (stopping.aborted) halt ??= 'interrupted'
  return closeRun(run, { tally, halt, ended, warning: warning?.words ?? null })
}

export function pendingQuestions({ runs }: Store, runId: string): AsyncGenerator<RunQuestion> {
  return pages(
    (page) => runs.questions(runId, { ...page, status: 'pending' }),
    -1,
    ({ position }) => position,
  )
}
