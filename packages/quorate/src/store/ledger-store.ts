import { z } from 'zod'
import { admitRun } from './admission.ts'
import { checkedLimit } from './checked-input.ts'
import type { Engine } from './engine.ts'
import { nextRow } from './ledger-chain.ts'
import { affectedBy, rowOf, rowsOf, type Steps } from './operation.ts'
import { perEngine } from './per-engine.ts'
import { ONE, preparedQuery } from './prepared-query.ts'
import { integer, jsonString } from './row-schemas.ts'
import type { Tables } from './schema.ts'
import type { LedgerEntry, LedgerRow, LedgerStore, LedgerText } from './store.ts'

const rowSchema = z
  .object({ runId: z.string(), sequence: integer, line: z.string(), hash: z.string() })
  .describe('ledger row')

const endSchema = rowSchema.pick({ sequence: true, hash: true }).describe('last ledger row')

const textSchema = z
  .object({
    runId: z.string(),
    sequence: integer,
    digest: z.string(),
    salt: z.string().nullable(),
    // As JSON, which escapes what an engine could not give back unchanged: the text must keep its digest.
    text: jsonString.nullable(),
    questionId: z.string(),
  })
  .describe('ledger text')

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
    texts: (runId, sequence) => {
      const query = queries
        .selectFrom('ledgerTexts')
        .selectAll()
        .where('runId', '=', runId)
        .where('sequence', '=', sequence)
        .orderBy('position')
      return engine.read(() => rowsOf(query, textSchema))
    },
  }
}

/** An entry as it is written: of texts that are erased only the digests. */
type WrittenEntry = Omit<LedgerEntry, 'texts'> & {
  readonly texts: readonly Omit<LedgerText, 'runId' | 'sequence'>[]
}

export function erasedEntry(entry: LedgerEntry): WrittenEntry {
  return { ...entry, texts: entry.texts.map((each) => ({ ...each, salt: null, text: null })) }
}

/** Reads the last row and writes the next one; whoever appends to the same chain meanwhile waits. */
export function* appendEntry(engine: Engine, entry: WrittenEntry): Steps<LedgerRow> {
  const lock = engine.lock(`ledger of ${entry.runId}`)
  if (lock !== null) yield lock
  const row = nextRow(entry, yield* rowOf(prepared(engine).end({ runId: entry.runId }), endSchema))
  yield* affectedBy(prepared(engine).insert({ ...row }))
  for (const [position, text] of entry.texts.entries()) {
    const { runId, sequence } = row
    const { digest, salt, questionId } = text
    const json = text.text === null ? null : JSON.stringify(text.text)
    const values = { runId, sequence, position, digest, salt, text: json, questionId }
    yield* affectedBy(prepared(engine).insertText(values))
  }
  return row
}

function lastRow(engine: Engine, runId: string): Steps<LedgerRow | null> {
  return rowOf(prepared(engine).last({ runId }), rowSchema)
}

/** Those that every decision makes. */
const prepared = perEngine((queries) => ({
  last: preparedQuery(['runId'], ({ runId }: { readonly runId: string }) =>
    queries.selectFrom('ledger').selectAll().where('runId', '=', runId).orderBy('sequence', 'desc').limit(ONE),
  ),
  // Without the line, which is long.
  end: preparedQuery(['runId'], ({ runId }: { readonly runId: string }) =>
    queries
      .selectFrom('ledger')
      .select(['sequence', 'hash'])
      .where('runId', '=', runId)
      .orderBy('sequence', 'desc')
      .limit(ONE),
  ),
  insert: preparedQuery(['runId', 'sequence', 'line', 'hash'], (row: Tables['ledger']) =>
    queries.insertInto('ledger').values(row),
  ),
  insertText: preparedQuery(
    ['runId', 'sequence', 'position', 'digest', 'salt', 'text', 'questionId'],
    (row: Tables['ledgerTexts']) => queries.insertInto('ledgerTexts').values(row),
  ),
}))
