import { plainText } from '../report/plain-text.ts'
import type { Run, Store } from '../store/store.ts'
import { isHalfImported } from './import-debates.ts'
import { RunError } from './run-plan.ts'

/** The run with this id; an error that names the latest where there is none. */
export async function foundRun(store: Store, runId: string): Promise<Run> {
  const run = await store.runs.find(runId)
  if (run !== null && isHalfImported(run)) {
    throw new RunError(`run ${run.id} is an import that did not come to its end: import the file again, it goes on`)
  }
  if (run !== null) return run
  const latest = (await store.runs.list(5)).map(({ id, kind }) => `${id} (${kind})`)
  const known = latest.length === 0 ? 'the store has no runs' : `the latest are ${latest.join(', ')}`
  throw new RunError(`there is no run ${JSON.stringify(plainText(runId))}; ${known}`)
}
