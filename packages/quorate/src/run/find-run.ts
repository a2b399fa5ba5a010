import type { QuestionStatus, Run, Store } from '../store/store.ts'
import { plainText } from '../text/plain-text.ts'
import { isHalfImported, isImported } from './exchange/import-debates.ts'
import { type ResumeOptions, runToResume } from './open-run.ts'
import { pages, questionRows } from './pages.ts'
import { RunError, type RunPlan } from './run-plan.ts'

const FEWEST_LETTERS = 4
const MOST_LISTED = 5

/** The run with this id, or the only one whose id has this prefix. The error, if there is none, names the latest runs. */
export async function findRun(store: Store, runId: string): Promise<Run> {
  const run = (await store.runs.find(runId)) ?? (await onlyRun(store, runId))
  if (run !== null && isHalfImported(run)) {
    throw new RunError(`run ${run.id} is an unfinished import: import the file again to continue it`)
  }
  if (run !== null) return run
  const latest = (await store.runs.list(MOST_LISTED)).map(({ id, kind }) => `${id} (${kind})`)
  const known =
    latest.length === 0
      ? 'The store has no runs'
      : `The latest are ${latest.join(', ')}. "quorate export --list" lists runs with their times`
  throw new RunError(`there is no run ${JSON.stringify(plainText(runId))}. ${known}`)
}

/** Completes a prefix to the whole id of a run; returns the prefix unchanged if no run has it. */
export async function wholeRunId(store: Store, runId: string): Promise<string> {
  if ((await store.runs.find(runId)) !== null) return runId
  return (await onlyRun(store, runId))?.id ?? runId
}

async function onlyRun(store: Store, prefix: string): Promise<Run | null> {
  if (prefix.length < FEWEST_LETTERS) return null
  const found: Run[] = []
  for await (const run of allRuns(store)) {
    if (run.id.startsWith(prefix.toLowerCase()) && found.push(run) > MOST_LISTED) break
  }
  const [first, second] = found
  if (first === undefined || second === undefined) return first ?? null
  const listed = found.slice(0, MOST_LISTED).map(({ id }) => id)
  const more = found.length > MOST_LISTED ? ' and others' : ''
  throw new RunError(
    `several runs begin with ${JSON.stringify(plainText(prefix))}: ${listed.join(', ')}${more}. Type more of the ID`,
  )
}

/** A row in a list of runs. */
export interface ListedRun extends Pick<Run, 'id' | 'kind' | 'createdAt' | 'isShadow' | 'status'> {
  readonly isImport: boolean
  readonly questions: number
  readonly statuses: Readonly<Record<QuestionStatus, number>>
}

/** All runs, latest first. */
export function allRuns({ runs }: Store): AsyncGenerator<Run> {
  return pages<Run, string | undefined>(
    ({ after, limit }) => runs.list(limit, after),
    undefined,
    ({ id }) => id,
  )
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

/** Ids of the questions that a run would ask if it were resumed. `hash` is that of the questions. */
export async function questionsLeft(
  store: Store,
  { plan, hash, resume, retryErrors }: ResumeOptions & { readonly plan: RunPlan; readonly hash: string },
): Promise<ReadonlySet<string>> {
  const whole = resume.kind === 'id' ? { ...resume, id: await wholeRunId(store, resume.id) } : resume
  const run = await runToResume(store, plan, hash, whole)
  const open: readonly QuestionStatus[] = retryErrors ? ['pending', 'agent-failure', 'time-out', 'error'] : ['pending']
  const left = new Set<string>()
  for await (const { questionId, status } of questionRows(store, run.id)) {
    if (open.includes(status)) left.add(questionId)
  }
  return left
}
