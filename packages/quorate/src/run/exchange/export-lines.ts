import { jsonOf } from '../../record/parse-stored.ts'
import type { Run, Store, StoredCall } from '../../store/store.ts'
import { debatesOfRun } from '../calibration/recorded-debates.ts'
import { decisionsOf, pages } from '../pages.ts'
import { bundleLines } from './bundle.ts'

export const EXPORTS = ['debates', 'decisions', 'calls', 'bundle'] as const

export type ExportKind = (typeof EXPORTS)[number]

/** What people exchange, line by line. */
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

/** What `calibrate` would be given of the run. Those without a round are left out: there is nothing to read in them. */
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

async function* callLines({ calls }: Store, runId: string): AsyncGenerator<string> {
  const all = pages<StoredCall, string | null>(
    (page) => calls.list(runId, page),
    null,
    ({ id }) => id,
  )
  for await (const { reply, fence: _, ...call } of all) {
    const parsed = reply === null ? null : jsonOf(reply)
    yield JSON.stringify({ quorate: 1, ...call, reply: parsed })
  }
}
