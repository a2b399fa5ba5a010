import type { Run, Store, StoredCall } from '../store/store.ts'
import { bundleLines } from './bundle.ts'
import { decisionsOf, pages } from './pages.ts'
import { storedDebates } from './recorded-debates.ts'

export const EXPORTS = ['debates', 'decisions', 'calls', 'bundle'] as const

export type ExportKind = (typeof EXPORTS)[number]

/** What people exchange, line by line. */
export function exportLines(store: Store, run: Run, what: ExportKind): AsyncGenerator<string> {
  switch (what) {
    case 'debates':
      return debateLines(store, run.id)
    case 'decisions':
      return decisionLines(store, run.id)
    case 'calls':
      return callLines(store, run.id)
    case 'bundle':
      return bundleLines(store, run)
  }
}

/** Those that failed are left out: they are no debates to calibrate on. */
async function* debateLines(store: Store, runId: string): AsyncGenerator<string> {
  for await (const { debate, status, rounds } of storedDebates(store, runId)) {
    if (status === 'done' && rounds > 0) yield debate
  }
}

async function* decisionLines(store: Store, runId: string): AsyncGenerator<string> {
  for await (const { decision } of decisionsOf(store, runId)) yield decision
}

async function* callLines({ calls }: Store, runId: string): AsyncGenerator<string> {
  const all = pages<StoredCall, string | null>(
    (page) => calls.list(runId, page),
    null,
    ({ id }) => id,
  )
  for await (const { reply, fence: _, ...call } of all) {
    const parsed: unknown = reply === null ? null : JSON.parse(reply)
    yield JSON.stringify({ quorate: 1, ...call, reply: parsed })
  }
}
