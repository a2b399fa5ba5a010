import { type ExportKind, exportLines } from '../runs/export-lines.ts'
import { RunError } from '../runs/run-plan.ts'
import { writeLines } from '../runs/write-lines.ts'
import type { Run, Store } from '../store/store.ts'
import { quoted } from './quoted.ts'

export interface ExportRequest {
  readonly runId: string
  readonly what: ExportKind
  readonly out: string
}

/** How many lines were written. */
export async function writeExport(store: Store, { runId, what, out }: ExportRequest): Promise<number> {
  return writeLines(out, exportLines(store, await foundRun(store, runId), what))
}

export async function foundRun(store: Store, runId: string): Promise<Run> {
  const run = await store.runs.find(runId)
  if (run !== null) return run
  const latest = (await store.runs.list(5)).map(({ id, kind }) => `${id} (${kind})`)
  const known = latest.length === 0 ? 'the store has no runs' : `the latest are ${latest.join(', ')}`
  throw new RunError(`there is no run ${quoted(runId)}; ${known}`)
}
