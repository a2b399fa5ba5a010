import type { PauseReason } from '../debate/ask.ts'
import type { Question } from '../record/question.ts'
import { isAlwaysReviewed } from '../record/review-rules.ts'
import type { Millis, RunQuestion, Spend, Store } from '../store/store.ts'
import { createTraffic } from '../traffic/create-traffic.ts'
import type { Traffic } from '../traffic/traffic.ts'
import type { Certified } from './calibration/certified.ts'
import type { RunNotice } from './calls/notices.ts'
import type { PaidModel } from './calls/pay-for-call.ts'
import { closeRun } from './close-run.ts'
import { type Deciding, type Permissions, prepareDeciding } from './deciding.ts'
import { createEarlyWarning } from './early-warning.ts'
import { type Intake, intakeOf } from './intake.ts'
import { type OpenedRun, openRun, type ResumeOptions } from './open-run.ts'
import { questionRows } from './pages.ts'
import { type RunProgress, type RunTally, tallied, tallyRun } from './progress.ts'
import { createLocalQueue } from './queue.ts'
import { createRunContext, type RunContext, type RunTools } from './run-context.ts'
import type { RunPlan } from './run-plan.ts'
import { debatesAtOnce, startWork } from './work.ts'

/** A run that has not touched the store yet. */
export interface PreparedRun {
  readonly plan: RunPlan
  readonly intake: Intake
  /** Null for a run that only debates. */
  readonly deciding: Deciding | null
  /** Questions left out of a debate run, because a rule always sends them to a person. A run that decides defers them. */
  readonly ruled: number
}

/** Time, randomness and ids, which come from outside. */
export interface RunWorld
  extends Pick<RunTools, 'now' | 'sleep' | 'newId' | 'newSalt' | 'newKey' | 'stopping' | 'aborting'> {
  /** A monotonic clock. */
  readonly elapsed: () => Millis
  /** In [0, 1). */
  readonly random: () => number
}

export interface RunToEndOptions extends ResumeOptions {
  readonly store: Store
  /** By agent. */
  readonly models: ReadonlyMap<string, PaidModel>
  readonly world: RunWorld
  /** Limits that are shared with other runs of this process. Absent: the run has limits of its own. */
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
  /** Why questions are left; null if none is. */
  readonly halt: PauseReason | null
  /** Why the run stopped early, and what to do next; null if it did not. */
  readonly warning: string | null
  /** Last hash of the run's ledger. */
  readonly head: string
  /** What this process reports to its user, such as dropped settings, failed agents and unexpected models. */
  readonly notices: readonly RunNotice[]
}

/** Reads the questions, and compares them and the panel with the certificate, before anything is asked or written. */
export async function prepareRun(
  plan: RunPlan,
  questions: AsyncIterable<Question>,
  certified: (Permissions & { readonly certified: Certified }) | null,
): Promise<PreparedRun> {
  let ruled = 0
  const { alwaysReview } = plan.panel
  // A certificate covers questions that reach the panel, so the others are not used for calibration.
  async function* reaching(): AsyncGenerator<Question> {
    for await (const question of questions) {
      if (plan.kind === 'debate' && isAlwaysReviewed(alwaysReview, question)) ruled += 1
      else yield question
    }
  }
  const intake = await intakeOf(reaching())
  if (certified === null) return { plan, intake, deciding: null, ruled }
  const asked = { panel: plan.panel, rows: intake.rows }
  return { plan, intake, deciding: prepareDeciding(certified.certified, asked, certified), ruled }
}

/** Begins or resumes a run and works until none of its questions is pending, for `debate`, `decide` and `demo`. */
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
 * Works on the questions of an opened run until none is left, the spend cap is reached or the process must stop. By then every
 * answer is committed, so the run can be resumed from there, even after a kill.
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
    questions: questionRows(store, runId, 'pending'),
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
  return closeRun(run, { tally, halt, ended, warning: warning?.wordsWithExample ?? null })
}
