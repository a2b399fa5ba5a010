import { canonicalJson } from '@quorate/certificate'
import type { LedgerRow, Run, Store } from '../store/store.ts'
import { pages } from './pages.ts'
import { RunError } from './run-plan.ts'

/**
 * A run for somebody who trusts nobody: first a line with the certificate and the head of the chain, then the chain, a
 * row a line. All of it is RFC 8785 JSON, so that no byte can change unnoticed; texts are in it as salted digests.
 */
export async function* bundleLines(store: Store, run: Run): AsyncGenerator<string> {
  const head = await store.ledger.head(run.id)
  if (head === null) throw new RunError(`run ${run.id} has no ledger: there is nothing to bundle`)
  const held = run.certificateId === null ? null : await store.certificates.find(run.certificateId)
  const certificate: unknown = held === null ? null : JSON.parse(held.file)
  const { hash, sequence: rows } = head
  yield canonicalJson({ quorate: 1, kind: 'bundle', runId: run.id, head: hash, rows, certificate })
  const chain = pages<LedgerRow, number>(
    (page) => store.ledger.list(run.id, page),
    0,
    ({ sequence }) => sequence,
  )
  for await (const row of chain) {
    // Rows that came since belong to the next bundle.
    if (row.sequence > rows) return
    yield canonicalJson({ hash: row.hash, line: JSON.parse(row.line) })
  }
}
