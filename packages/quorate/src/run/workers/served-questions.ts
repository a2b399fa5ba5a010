import type { AddedQuestion } from '../../store/decisions/settlement.ts'
import type { QuestionProgress } from '../../store/shared-store.ts'
import type { NewQuestion, Run, Store } from '../../store/store.ts'
import type { OpenRunOptions } from '../open-run.ts'
import { questionRows } from '../pages.ts'
import type { JobQueue } from './job-queue.ts'
import type { ServedTerms } from './run-options.ts'
import { aliveWorkers, hasConfig } from './run-status.ts'
import { sharedOf, shareRun } from './share-run.ts'

export interface ServedQueue {
  readonly store: Store
  readonly queue: JobQueue
  readonly terms: ServedTerms
  readonly configHash: string
}

/** Passes the questions of a server to workers. Each question is committed together with its job. */
export function questionsForWorkers({ store, queue, terms, configHash }: ServedQueue): QuestionsElsewhere {
  const { intake, workers } = sharedOf(store)
  return {
    async open(options) {
      const { resume } = options
      if (resume.kind === 'id') await askAgain(store, resume.id)
      const { run } = await shareRun(options, { ...options, store, queue, served: terms })
      return run
    },
    add: (runId, question) =>
      intake.add(runId, question, (database) => queue.add([{ runId, questionId: question.questionId }], database)),
    progress: (waited) => intake.progress(waited),
    hasWorkers: async () => (await aliveWorkers(workers)).some((worker) => hasConfig(worker, { configHash })),
  }
}

/** A question that workers gave up was still accepted by the server. So every server that starts asks it once more. */
async function askAgain(store: Store, runId: string): Promise<void> {
  for await (const { questionId, question } of questionRows(store, runId, 'error')) {
    if (question !== null) await store.runs.setQuestion(runId, questionId, 'pending')
  }
}

/** Questions that this process accepts and other processes debate. The layer that knows these processes implements it. */
export interface QuestionsElsewhere {
  /** Begins or resumes the run, and makes sure that its pending questions have jobs. */
  open(options: OpenRunOptions): Promise<Run>
  /** When it resolves, the question is stored and a worker will debate it. */
  add(runId: string, question: NewQuestion): Promise<AddedQuestion>
  /** Those of the awaited questions that a worker has begun or ended since. */
  progress(waited: WaitedFor): Promise<readonly QuestionProgress[]>
  /** Whether any live worker would debate the questions. */
  hasWorkers(): Promise<boolean>
}

/** Ids of awaited questions, by their last known state. */
export interface WaitedFor {
  readonly runIds: readonly string[]
  readonly pending: readonly string[]
  readonly begun: readonly string[]
}
