import { z } from 'zod'
import { checkedLimit } from '../checked-input.ts'
import type { Engine } from '../engine.ts'
import { rowOf, rowsOf, runAll, type Steps, take } from '../operation.ts'
import { perEngine } from '../per-engine.ts'
import { preparedQuery, preparedRows } from '../prepared-query.ts'
import { integer } from '../row-schemas.ts'
import { admitRun } from '../runs/write-admission.ts'
import type { Tables } from '../schema.ts'
import type { LedgerEntry, LedgerRow, LedgerStore, LedgerText } from '../store.ts'
import { nextRow } from './ledger-chain.ts'

const rowSchema = z
  .object({ runId: z.string(), sequence: integer, line: z.string(), hash: z.string() })
  .describe('ledger row')

const endSchema = rowSchema.pick({ sequence: true, hash: true }).describe('last ledger row')

export function createLedgerStore(engine: Engine): LedgerStore {
  const { queries } = engine
  return {
    append: (entry, fence) =>
      engine.write(function* () {
        if (fence !== undefined) yield* admitRun(engine, entry.runId, fence)
        return yield* appendEntry(engine, entry)
      }),
    list: async (runId, { after, limit }) => {
      const query = queries.selectFrom('ledger').selectAll().where('runId', '=', runId).where('sequence', '>', after)
      return engine.read(() => rowsOf(query.orderBy('sequence').limit(checkedLimit(limit)), rowSchema))
    },
    head: (runId) => engine.read(() => lastRow(engine, runId)),
  }
}

/** An entry as it is written. Erased texts have only their digests. */
type WrittenEntry = Omit<LedgerEntry, 'texts'> & {
  readonly texts: readonly Omit<LedgerText, 'runId' | 'sequence'>[]
}

export function erasedEntry(entry: LedgerEntry): WrittenEntry {
  return { ...entry, texts: entry.texts.map((each) => ({ ...each, salt: null, text: null })) }
}

/** Reads the last row and writes the next one. Other writers of the same chain wait until the commit. */
export function* appendEntry(engine: Engine, entry: WrittenEntry): Steps<LedgerRow> {
  const [row] = yield* appendEntries(engine, entry.runId, [entry])
  if (row === undefined) throw new Error('ledger: no row was appended')
  return row
}

/** Appends several entries of one run, in order. */
export function* appendEntries(
  engine: Engine,
  runId: string,
  entries: readonly WrittenEntry[],
): Steps<readonly LedgerRow[]> {
  yield* take(engine.lock(`ledger of ${runId}`))
  let last = yield* rowOf(prepared(engine).end({ runId }), endSchema)
  const rows: LedgerRow[] = []
  const texts: Tables['ledgerTexts'][] = []
  for (const entry of entries) {
    const row = nextRow(entry, last)
    last = row
    rows.push(row)
    for (const [position, { text, digest, salt, questionId }] of entry.texts.entries()) {
      const json = text === null ? null : JSON.stringify(text)
      texts.push({ runId, sequence: row.sequence, position, digest, salt, text: json, questionId })
    }
  }
  yield* runAll(prepared(engine).insert(rows.map((row) => ({ ...row }))))
  yield* runAll(prepared(engine).insertTexts(texts))
  return rows
}

function lastRow(engine: Engine, runId: string): Steps<LedgerRow | null> {
  return rowOf(prepared(engine).last({ runId }), rowSchema)
}

/** The queries that every decision runs. */
const prepared = perEngine((queries) => ({
  last: preparedQuery(['runId'], ({ runId }: { readonly runId: string }) =>
    queries.selectFrom('ledger').selectAll().where('runId', '=', runId).orderBy('sequence', 'desc').limit(1),
  ),
  // Does not read the line, which is long.
  end: preparedQuery(['runId'], ({ runId }: { readonly runId: string }) =>
    queries
      .selectFrom('ledger')
      .select(['sequence', 'hash'])
      .where('runId', '=', runId)
      .orderBy('sequence', 'desc')
      .limit(1),
  ),
  insert: preparedRows(['runId', 'sequence', 'line', 'hash'], (rows: readonly Tables['ledger'][]) =>
    queries.insertInto('ledger').values(rows),
  ),
  insertTexts: preparedRows(
    ['runId', 'sequence', 'position', 'digest', 'salt', 'text', 'questionId'],
    (rows: readonly Tables['ledgerTexts'][]) => queries.insertInto('ledgerTexts').values(rows),
  ),
}))
