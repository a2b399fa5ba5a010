import type { Store } from '../../store/store.ts'
import { findRun } from '../find-run.ts'
import { type ExportKind, exportLines } from './export-lines.ts'
import { writeLines } from './write-lines.ts'

/** Returns how many lines were written. */
export async function writeExport(
  store: Store,
  { runId, what, out }: { readonly runId: string; readonly what: ExportKind; readonly out: string },
): Promise<number> {
  return writeLines(out, exportLines(store, await findRun(store, runId), what))
}
