import { canonicalJson } from '@quorate/certificate'
import { jsonOf } from '../../record/parse-stored.ts'
import type { Run, SamplingKey, Store } from '../../store/store.ts'
import { debatesOfRun } from '../calibration/recorded-debates.ts'
import { commitmentOf } from '../intake.ts'
import { callRows, decisionsOf, ledgerRows } from '../pages.ts'
import { RunError } from '../run-plan.ts'

export const EXPORTS = ['debates', 'decisions', 'calls', 'bundle'] as const

export type ExportKind = (typeof EXPORTS)[number]

/** The lines of an export. */
export function exportLines(store: Store, run: Run, what: ExportKind): AsyncGenerator<string> {
  switch (what) {
    case 'debates':
      return debateLines(store, run)
    case 'decisions':
      return decisionLines(store, run.id)
    case 'calls':
      return callLines(store, run.id)
    case 'bundle':
      return bundleLines(store, run)
  }
}

/** The debates of the run, as `calibrate` reads them. Debates without a round are left out, because they are empty. */
async function* debateLines(store: Store, run: Run): AsyncGenerator<string> {
  for await (const { value } of debatesOfRun(store, run)) if (hasRounds(value)) yield JSON.stringify(value)
}

function hasRounds(debate: unknown): boolean {
  if (typeof debate !== 'object' || debate === null || !('rounds' in debate)) return false
  return Array.isArray(debate.rounds) && debate.rounds.length > 0
}

async function* decisionLines(store: Store, runId: string): AsyncGenerator<string> {
  for await (const { decision } of decisionsOf(store, runId)) yield decision
}

async function* callLines(store: Store, runId: string): AsyncGenerator<string> {
  for await (const { reply, fence: _, ...call } of callRows(store, runId)) {
    const parsed = reply === null ? null : jsonOf(reply)
    yield JSON.stringify({ quorate: 1, ...call, reply: parsed })
  }
}

/**
 * A run that an auditor can verify without trusting anyone. The first line has the certificate and the head of the chain. Each
 * further line is a row of the chain. Everything is RFC 8785 JSON, so no byte can change unnoticed. Texts are included as
 * salted digests. The first line discloses every sampling key that is no longer in use: all keys of a closed run, and all but
 * the latest key of an open run.
 */
export async function* bundleLines(store: Store, run: Run): AsyncGenerator<string> {
  const head = await store.ledger.head(run.id)
  if (head === null) throw new RunError(`run ${run.id} has no ledger: there is nothing to bundle`)
  const stored = run.certificateId === null ? null : await store.certificates.find(run.certificateId)
  const certificate: unknown = stored === null ? null : jsonOf(stored.file)
  const { hash, sequence: rows } = head
  const sampling = disclosed(await store.runs.samplingKeys(run.id), run)
  yield canonicalJson({ quorate: 1, kind: 'bundle', runId: run.id, head: hash, rows, certificate, sampling })
  for await (const row of ledgerRows(store, run.id)) {
    // Rows that were added since belong to the next bundle.
    if (row.sequence > rows) return
    yield canonicalJson({ hash: row.hash, line: jsonOf(row.line) })
  }
}

/** The keys in the order of their numbers. */
function disclosed(keys: readonly SamplingKey[], { status }: Run) {
  return keys.map(({ key }, index) => ({
    commitment: commitmentOf(key),
    key: status === 'done' || index < keys.length - 1 ? key : null,
  }))
}
