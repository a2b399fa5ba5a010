import { ledgerLineSchema } from '../../record/ledger.ts'
import { findStored, parseStored } from '../../record/parse-stored.ts'
import type { LedgerRow, Store, StoredDecision } from '../../store/store.ts'

export interface LedgerPlace {
  readonly sequence: number
  readonly hash: string
}

/** Rows are chained shortly after the time that they name, and in nearly that order. */
const SLACK_MS = 1000
const PAGE = 200

const timeSchema = ledgerLineSchema.pick({ at: true })
const lineSchema = ledgerLineSchema.pick({ kind: true, body: true })

/** Where the chain of its run has a decision, found by its time; null: not there. */
export async function ledgerPlace(
  { ledger }: Pick<Store, 'ledger'>,
  { id, runId, at }: Pick<StoredDecision, 'id' | 'runId' | 'at'>,
): Promise<LedgerPlace | null> {
  const head = await ledger.head(runId)
  if (head === null) return null
  const rowAt = async (sequence: number) => (await ledger.list(runId, { after: sequence - 1, limit: 1 }))[0]
  let low = 1
  let high = head.sequence
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const row = await rowAt(middle)
    if (row === undefined || timeOf(row) >= at - SLACK_MS) high = middle
    else low = middle + 1
  }
  for (let after = low - 1; ; ) {
    const page = await ledger.list(runId, { after, limit: PAGE })
    const found = page.find((row) => isOf(row, id))
    if (found !== undefined) return { sequence: found.sequence, hash: found.hash }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE || timeOf(last) > at + SLACK_MS) return null
    after = last.sequence
  }
}

function timeOf({ line, sequence }: LedgerRow): number {
  return parseStored(timeSchema, line, `row ${sequence} of the ledger`).at
}

function isOf({ line }: LedgerRow, id: string): boolean {
  // Most rows are others: their text is searched before it is parsed.
  if (!line.includes(id)) return false
  const read = findStored(lineSchema, line)
  return read?.kind === 'decision' && read.body['id'] === id
}
