import type { QuestionStatus, Store } from '../store/store.ts'
import { plainText } from '../text/plain-text.ts'
import { wholeRunId } from './found-run.ts'
import type { OpenRunOptions } from './open-run.ts'
import { pages } from './pages.ts'
import { RunError, type RunPlan } from './run-plan.ts'

export interface LeftOf extends Pick<OpenRunOptions, 'resume' | 'retryErrors'> {
  readonly plan: Pick<RunPlan, 'kind' | 'hash'>
  /** Of the questions, as they were taken in. */
  readonly hash: string
}

/** Ids of the questions that a run would ask if it were gone on with. */
export async function questionsLeft(
  store: Store,
  { plan, hash, resume, retryErrors }: LeftOf,
): Promise<ReadonlySet<string>> {
  const same = { configHash: plan.hash, questionsHash: hash, kind: plan.kind }
  const run =
    resume.kind === 'id' ? await store.runs.find(await wholeRunId(store, resume.id)) : await store.runs.latest(same)
  if (run === null) {
    const which =
      resume.kind === 'id' ? `the id ${JSON.stringify(plainText(resume.id))}` : 'these questions and this config'
    throw new RunError(`no ${plan.kind} run has ${which}: leave out --resume to begin one`)
  }
  const open: readonly QuestionStatus[] = retryErrors ? ['pending', 'agent-failure', 'time-out', 'error'] : ['pending']
  const left = new Set<string>()
  const questions = pages(
    (page) => store.runs.questions(run.id, page),
    -1,
    ({ position }) => position,
  )
  for await (const { questionId, status } of questions) if (open.includes(status)) left.add(questionId)
  return left
}
