import type { Question } from '../record/question.ts'
import type { Millis, Store } from '../store/store.ts'
import { createTraffic } from '../traffic/create-traffic.ts'
import type { Certified } from './calibration/certified.ts'
import type { PaidModel } from './calls/pay-for-call.ts'
import { type Deciding, type Permissions, prepareDeciding } from './deciding.ts'
import { type OpenedRun, type OpenRunOptions, openRun } from './open-run.ts'
import { createJob, type RunTools } from './run-job.ts'
import type { RunPlan } from './run-plan.ts'
import { type RunHooks, type RunResult, runQuestions } from './run-questions.ts'
import { type Intake, takeIn } from './take-in.ts'

/** A run that has not touched the store yet. */
export interface PreparedRun {
  readonly plan: RunPlan
  readonly intake: Intake
  /** Null for a run that only debates. */
  readonly deciding: Deciding | null
}

/** Time, chance and names, which come from outside. */
export interface RunWorld
  extends Pick<RunTools, 'now' | 'sleep' | 'newId' | 'newSalt' | 'newKey' | 'stopping' | 'aborting'> {
  /** A clock that never goes back. */
  readonly elapsed: () => Millis
  /** In [0, 1). */
  readonly random: () => number
}

export interface Holder extends Pick<OpenRunOptions, 'resume' | 'retryErrors'> {
  readonly store: Store
  /** By agent. */
  readonly models: ReadonlyMap<string, PaidModel>
  readonly world: RunWorld
}

export interface HoldHooks extends RunHooks {
  readonly begin?: (opened: OpenedRun) => void
}

/** Takes the questions in and compares panel and questions with the certificate, before anything is asked or written. */
export async function prepareRun(
  plan: RunPlan,
  questions: AsyncIterable<Question>,
  certified: (Permissions & { readonly certified: Certified }) | null,
): Promise<PreparedRun> {
  const intake = await takeIn(questions)
  if (certified === null) return { plan, intake, deciding: null }
  const asked = { panel: plan.panel, rows: intake.rows }
  return { plan, intake, deciding: prepareDeciding(certified.certified, asked, certified) }
}

/** Begins or resumes the run and holds its debates: what debate, decide and the demo do alike. */
export async function holdRun(
  { plan, intake, deciding }: PreparedRun,
  { store, models, world, resume, retryErrors }: Holder,
  { begin, ...hooks }: HoldHooks = {},
): Promise<RunResult> {
  const { elapsed, random, ...tools } = world
  const { now, newId, newKey, sleep } = tools
  const traffic = createTraffic({ limits: plan.limits.traffic, now: elapsed, sleep, random })
  const opened = await openRun(store, { plan, intake, deciding, resume, retryErrors, now, newId, newKey })
  begin?.(opened)
  const job = await createJob(plan, { ...tools, store, models, traffic }, { opened, deciding })
  return runQuestions(job, hooks)
}
