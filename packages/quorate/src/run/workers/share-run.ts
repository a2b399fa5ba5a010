import type { SharedStore } from '../../store/shared-store.ts'
import type { Run, Store } from '../../store/store.ts'
import {
  newRun,
  type OpeningOptions,
  type OpenRunOptions,
  openingEntry,
  resumableRun,
  resumingEntry,
  retryFailed,
} from '../open-run.ts'
import { questionRows } from '../pages.ts'
import { capOf, RunError } from '../run-plan.ts'
import type { PreparedRun } from '../run-to-end.ts'
import type { JobQueue, QuestionJob } from './job-queue.ts'
import { type ServedTerms, writeOptions } from './run-options.ts'

export interface Sharing extends OpeningOptions {
  readonly store: Store
  readonly queue: JobQueue
  /** The terms of a server's run. Workers that debate its questions continue when it is opened again. Absent: no server. */
  readonly served?: ServedTerms
}

export interface SharedRunOpened {
  readonly run: Run
  readonly questions: number
  readonly isResumed: boolean
  readonly lostCalls: number
}

/** Begins or resumes a run for workers. Its questions and their jobs are written in one commit. */
export async function shareRun(prepared: Omit<PreparedRun, 'ruled'>, sharing: Sharing): Promise<SharedRunOpened> {
  const { plan, intake, deciding } = prepared
  const { store, queue, resume, retryErrors, now, newId, newKey, served = null } = sharing
  const shared = sharedOf(store)
  const options: OpenRunOptions = { plan, intake, deciding, resume, retryErrors, now, newId, newKey }
  const terms = {
    createdAt: now(),
    options: writeOptions(deciding, { plan, served }),
    capMicroUsd: capOf(plan),
  }
  if (resume.kind === 'new') {
    const { run, questions, samplingKey } = await newRun(store, options)
    const entry = openingEntry(run, options, samplingKey)
    const jobs = questions.map(({ questionId }) => ({ runId: run.id, questionId }))
    const enqueue = (database: SharedStore['jobs']) => queue.add(jobs, database)
    await shared.runs.create({ run: { ...run, samplingKey }, shared: terms, questions, entry, enqueue })
    return { run, questions: questions.length, isResumed: false, lostCalls: 0 }
  }
  const run = await resumableRun(store, options)
  if (retryErrors) await retryFailed(store, run.id)
  const { options: written, capMicroUsd } = terms
  const isOurs = served !== null && (await shared.intake.renew(run.id, { options: written, capMicroUsd }))
  const jobs = await pendingJobs(store, run.id)
  const enqueue = (database: SharedStore['jobs']) => queue.add(jobs, database)
  if (isOurs) await enqueue(shared.jobs)
  const { lostCalls } = isOurs
    ? { lostCalls: 0 }
    : await shared.runs.share({ runId: run.id, shared: terms, at: now(), enqueue })
  await store.ledger.append(resumingEntry(run, { lostCalls, options, fence: null }))
  return { run, questions: jobs.length, isResumed: true, lostCalls }
}

/** The shared part of a store, which only PostgreSQL has. */
export function sharedOf({ shared }: Store): SharedStore {
  if (shared !== null) return shared
  throw new RunError(
    'workers share their runs through PostgreSQL, and this store is one file. Set QUORATE_STORE to ' +
      'postgres://USER@HOST/DATABASE, the same for every worker. Without --detach, debate, decide and serve need no worker',
  )
}

async function pendingJobs(store: Store, runId: string): Promise<QuestionJob[]> {
  const jobs: QuestionJob[] = []
  for await (const { questionId } of questionRows(store, runId, 'pending')) jobs.push({ runId, questionId })
  return jobs
}
