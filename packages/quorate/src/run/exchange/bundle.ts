import { canonicalJson } from '@quorate/certificate'
import { jsonOf } from '../../record/parse-stored.ts'
import type { LedgerRow, Run, SamplingKey, Store } from '../../store/store.ts'
import { pages } from '../pages.ts'
import { RunError } from '../run-plan.ts'
import { commitmentOf } from '../take-in.ts'

/**
 * A run for somebody who trusts nobody: first a line with the certificate and the head of the chain, then the chain, a
 * row a line. All of it is RFC 8785 JSON, so that no byte can change unnoticed; texts are in it as salted digests. The
 * first line discloses every sampling key that is no longer in use: all of a run that is closed, and of one
 * that is open all but the latest.
 */
export async function* bundleLines(store: Store, run: Run): AsyncGenerator<string> {
  const head = await store.ledger.head(run.id)
  if (head === null) throw new RunError(`run ${run.id} has no ledger: there is nothing to bundle`)
  const stored = run.certificateId === null ? null : await store.certificates.find(run.certificateId)
  const certificate: unknown = stored === null ? null : jsonOf(stored.file)
  const { hash, sequence: rows } = head
  const sampling = disclosed(await store.runs.samplingKeys(run.id), run)
  yield canonicalJson({ quorate: 1, kind: 'bundle', runId: run.id, head: hash, rows, certificate, sampling })
  const chain = pages<LedgerRow, number>(
    (page) => store.ledger.list(run.id, page),
    0,
    ({ sequence }) => sequence,
  )
  for await (const row of chain) {
    // Rows that came since belong to the next bundle.
    if (row.sequence > rows) return
    yield canonicalJson({ hash: row.hash, line: jsonOf(row.line) })
  }
}

/** In the order of their numbers. */
function disclosed(keys: readonly SamplingKey[], { status }: Run) {
  return keys.map(({ key }, index) => ({
    commitment: commitmentOf(key),
    key: status === 'done' || index < keys.length - 1 ? key : null,
  }))
}
