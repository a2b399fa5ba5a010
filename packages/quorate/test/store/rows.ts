import { sql } from 'kysely'
import { z } from 'zod'
import type { LedgerText } from '../../src/store/decisions/ledger.ts'
import { rowsOf } from '../../src/store/operation.ts'
import { insertReview } from '../../src/store/reviews/review-row.ts'
import type { Review } from '../../src/store/reviews/reviews.ts'
import { integer, jsonString } from '../../src/store/row-schemas.ts'
import type { CallPlace, LedgerEntry, Store, StoredCall, StoredDebate, StoredDecision } from '../../src/store/store.ts'
import { engineOf } from './opened.ts'

/** Settles a decision without anything that could belong to it. Its certificate need not be activated. */
export async function saveDecision(
  store: Store,
  decision: StoredDecision,
  debate: StoredDebate,
  entry: LedgerEntry,
  fence?: string,
): Promise<void> {
  const fenced = fence === undefined ? {} : { fence }
  const settlement = { decision, debate, entry, ...fenced, isOperatorsChoice: true }
  const { kind } = await store.decisions.settle(settlement)
  if (kind !== 'settled') throw new Error(`saveDecision: ${kind}`)
}

/** Adds only the review item, which the product adds together with its decision. */
export function addReview(store: Store, review: Review): Promise<void> {
  const engine = engineOf(store)
  return engine.write(() => insertReview(engine, review))
}

/** The latest answer under a cache key. */
export async function cachedCall(store: Store, cacheKey: string): Promise<StoredCall | null> {
  const nowhere = { questionId: 'none', agent: 'none', round: 0, repeat: 0, isReminder: false }
  return (await store.calls.before('none', nowhere, cacheKey)).cached
}

/** The call that was answered at a place. */
export async function answeredCall(store: Store, runId: string, place: CallPlace): Promise<StoredCall | null> {
  return (await store.calls.before(runId, place, 'none')).answered
}

/** The number of attempts at a place so far, including open ones. */
export async function attemptsAt(store: Store, runId: string, place: CallPlace): Promise<number> {
  return (await store.calls.before(runId, place, 'none')).attempts
}

const textSchema: z.ZodType<LedgerText> = z.object({
  runId: z.string(),
  sequence: integer,
  digest: z.string(),
  salt: z.string().nullable(),
  text: jsonString.nullable(),
  questionId: z.string(),
})

/** The texts of a ledger row, which the product only writes and erases. */
export function ledgerTexts(store: Store, runId: string, sequence: number): Promise<readonly LedgerText[]> {
  const engine = engineOf(store)
  const texts = engine.queries.selectFrom('ledgerTexts').selectAll().where('runId', '=', runId)
  return engine.read(() => rowsOf(texts.where('sequence', '=', sequence).orderBy('position'), textSchema))
}

/** At the end of queries of `allRows`, which read whole tables. */
export const ALL_ROWS = '-- all rows'

const namesSchema = z.object({ name: z.string() })
const rowSchema = z.record(z.string(), z.unknown())

/** Every row of every table, each as JSON and sorted, by the table's name. */
export function allRows(store: Store): Promise<Readonly<Record<string, readonly string[]>>> {
  const { name, queries, read } = engineOf(store)
  const end = sql.raw(ALL_ROWS)
  const compiled = (statement: ReturnType<typeof sql>) => ({ compile: () => statement.compile(queries) })
  const tables =
    name === 'sqlite'
      ? sql`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' ${end}`
      : sql`select tablename as name from pg_tables where schemaname = current_schema() ${end}`
  return read(function* () {
    const found: Record<string, readonly string[]> = {}
    for (const table of yield* rowsOf(compiled(tables), namesSchema)) {
      const rows = yield* rowsOf(compiled(sql`select * from ${sql.table(table.name)} ${end}`), rowSchema)
      found[table.name] = rows.map((row) => JSON.stringify(row)).toSorted()
    }
    return found
  })
}

/** Cancels a message, as undoing a review does. False: it was already delivered, cancelled or given up. */
export async function cancelMessage(store: Store, id: string): Promise<boolean> {
  const engine = engineOf(store)
  const message = engine.queries.updateTable('outbox').set({ nextAt: null }).where('id', '=', id)
  return (await engine.writeOne(message.where('nextAt', 'is not', null))) > 0
}
