import type { Store } from '../../store/store.ts'
import { pages } from '../pages.ts'
import type { JobQueue } from './job-queue.ts'
import type { QuestionsElsewhere } from './questions-elsewhere.ts'
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
