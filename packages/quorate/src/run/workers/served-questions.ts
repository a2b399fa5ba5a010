import type { AddedQuestion } from '../../store/decisions/settlement.ts'
import type { QuestionProgress } from '../../store/shared-store.ts'
import type { NewQuestion, Run, Store } from '../../store/store.ts'
import type { OpenRunOptions } from '../open-run.ts'
import { pages } from '../pages.ts'
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

/** The questions of a server, for workers: each is committed together with its job. */
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
    isAttended: async () => (await aliveWorkers(workers)).some((worker) => hasConfig(worker, { configHash })),
  }
}

/** What a worker gave up without a decision was accepted all the same: it is asked once more by every server that begins. */
async function askAgain({ runs }: Store, runId: string): Promise<void> {
  const failed = pages(
    (page) => runs.questions(runId, { ...page, status: 'error' }),
    -1,
    ({ position }) => position,
  )
  for await (const { questionId, question } of failed) {
    if (question !== null) await runs.setQuestion(runId, questionId, 'pending')
  }
}

/** Questions that this process takes in and others debate: filled by the layer that knows those others. */
export interface QuestionsElsewhere {
  /** Begins the run, or goes on with it; whatever of it is pending is seen to. */
  open(options: OpenRunOptions): Promise<Run>
  /** When it resolves the question is stored, and a worker will debate it. */
  add(runId: string, question: NewQuestion): Promise<AddedQuestion>
  /** Of the awaited questions, those that a worker has begun since, or ended. */
  progress(waited: WaitedFor): Promise<readonly QuestionProgress[]>
  /** Whether anybody who would debate them is there. */
  isAttended(): Promise<boolean>
}

/** Ids of questions, by what is known of them. */
export interface WaitedFor {
  readonly runIds: readonly string[]
  readonly pending: readonly string[]
  readonly begun: readonly string[]
}
