import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleLines } from '../../../src/run/exchange/export-lines.ts'
import { verifyBundle } from '../../../src/run/verify/verify-bundle.ts'
import type { Store } from '../../../src/store/store.ts'
import { all } from '../../run/run-world.ts'
import { temporaryFolder } from '../../store/temporary-folder.ts'

/** What an auditor would find in the bundle of a run. */
export async function verified(store: Store, runId: string) {
  const run = await store.runs.find(runId)
  if (run === null) throw new Error('the run is gone')
  const path = join(temporaryFolder(), 'bundle.jsonl')
  writeFileSync(path, `${(await all(bundleLines(store, run))).join('\n')}\n`)
  return verifyBundle(path)
}
