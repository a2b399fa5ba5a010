import type { QuestionStatus, Run, Store } from '../store/store.ts'
import { isHalfImported } from './exchange/import-debates.ts'

const PAGE = 200

/** A line of a list of runs. */
export interface ListedRun extends Pick<Run, 'id' | 'kind' | 'createdAt' | 'isShadow' | 'status'> {
  readonly isImport: boolean
  readonly questions: number
  readonly statuses: Readonly<Record<QuestionStatus, number>>
}

/** Latest first. */
export async function* allRuns({ runs }: Pick<Store, 'runs'>): AsyncGenerator<Run> {
  for (let before: string | undefined; ; ) {
    const page = await runs.list(PAGE, before)
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    before = last.id
  }
}

/** The latest runs, latest first. */
export async function listRuns(store: Store, limit: number): Promise<readonly ListedRun[]> {
  const listed: ListedRun[] = []
  for (const run of await store.runs.list(limit)) {
    const { id, kind, createdAt, isShadow, status } = run
    const statuses = await store.runs.counts(id)
    const questions = Object.values(statuses).reduce((sum, count) => sum + count, 0)
    listed.push({ id, kind, createdAt, isShadow, status, isImport: isImported(run), questions, statuses })
  }
  return listed
}

function isImported(run: Run): boolean {
  return isHalfImported({ ...run, status: 'open' })
}
