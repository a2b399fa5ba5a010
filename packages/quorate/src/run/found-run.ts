import type { Run, Store } from '../store/store.ts'
import { plainText } from '../text/plain-text.ts'
import { isHalfImported } from './exchange/import-debates.ts'
import { allRuns } from './list-runs.ts'
import { RunError } from './run-plan.ts'

const FEWEST_LETTERS = 4
const MOST_TOLD = 5

/** The run with this id, or the only one whose id begins so; an error that names the latest where there is none. */
export async function foundRun(store: Store, runId: string): Promise<Run> {
  const run = (await store.runs.find(runId)) ?? (await onlyRun(store, runId))
  if (run !== null && isHalfImported(run)) {
    throw new RunError(`run ${run.id} is an import that did not come to its end: import the file again, it goes on`)
  }
  if (run !== null) return run
  const latest = (await store.runs.list(MOST_TOLD)).map(({ id, kind }) => `${id} (${kind})`)
  const known = latest.length === 0 ? 'the store has no runs' : `the latest are ${latest.join(', ')}`
  throw new RunError(`there is no run ${JSON.stringify(plainText(runId))}; ${known}; "quorate export --list" has all`)
}

/** The whole id, where the beginning of one was given; as it came where no run begins so. */
export async function wholeRunId(store: Store, runId: string): Promise<string> {
  if ((await store.runs.find(runId)) !== null) return runId
  return (await onlyRun(store, runId))?.id ?? runId
}

async function onlyRun(store: Store, beginning: string): Promise<Run | null> {
  if (beginning.length < FEWEST_LETTERS) return null
  const found: Run[] = []
  for await (const run of allRuns(store)) {
    if (run.id.startsWith(beginning.toLowerCase()) && found.push(run) > MOST_TOLD) break
  }
  const [first, second] = found
  if (first === undefined || second === undefined) return first ?? null
  const told = found.slice(0, MOST_TOLD).map(({ id }) => id)
  const more = found.length > MOST_TOLD ? ' and others' : ''
  throw new RunError(
    `several runs begin with ${JSON.stringify(plainText(beginning))}: ${told.join(', ')}${more}; say more letters`,
  )
}
