import type { RunQuestion, Store } from '../store/store.ts'
import { pages } from './pages.ts'

type Asked = Pick<RunQuestion, 'position' | 'questionId' | 'question'>

/** Whether a run has these questions, each at its place. A text that was erased is not compared. */
export async function hasQuestions({ runs }: Store, runId: string, rows: readonly Asked[]): Promise<boolean> {
  let found = 0
  const stored = pages(
    (page) => runs.questions(runId, page),
    -1,
    ({ position }) => position,
  )
  for await (const { questionId, question } of stored) {
    const row = rows[found]
    // Those that came later, to a run that takes them as they come.
    if (row === undefined) return true
    if (row.questionId !== questionId || (question !== null && question !== row.question)) return false
    found += 1
  }
  return found === rows.length
}
