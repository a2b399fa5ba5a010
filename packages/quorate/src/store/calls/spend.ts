import { hash } from 'node:crypto'
import { z } from 'zod'
import { parseStored } from '../../record/parse-stored.ts'
import { StoreError } from '../../record/store-error.ts'
import type { Engine } from '../engine.ts'
import { affectedBy, rowOf, rowsOf, type Steps, take } from '../operation.ts'
import { integer, jsonText } from '../row-schemas.ts'
import type { Tables } from '../schema.ts'
import type { CallState, Spend } from '../store.ts'

const spendSchema = z
  .object({
    state: z.enum(['open', 'answered', 'refused', 'lost']),
    count: integer,
    // A sum over no values is null.
    inputTokens: integer.nullable(),
    outputTokens: integer.nullable(),
    cost: integer.nullable(),
    uncosted: integer.nullable(),
    unpriced: integer,
  })
  .describe('sum of calls')

type Sums = z.infer<typeof spendSchema>

/** A range of the ids of a run's calls. An absent limit does not apply. */
interface CallRange {
  readonly runId: string
  readonly after?: string
  /** Inclusive. */
  readonly upTo?: string
  readonly before?: string
}

function callsOf({ queries }: Engine, { runId, after, upTo, before }: CallRange) {
  let calls = queries.selectFrom('calls').where('runId', '=', runId)
  if (after !== undefined) calls = calls.where('id', '>', after)
  if (upTo !== undefined) calls = calls.where('id', '<=', upTo)
  return before === undefined ? calls : calls.where('id', '<', before)
}

/** Sums over a range of calls, by state. */
function sumsOf(engine: Engine, range: CallRange) {
  return callsOf(engine, range)
    .select(({ fn, ref, case: choose, lit, and, eb }) => [
      'state',
      fn.countAll().as('count'),
      fn.sum('inputTokens').as('inputTokens'),
      fn.sum('outputTokens').as('outputTokens'),
      fn.sum('costMicroUsd').as('cost'),
      fn.sum(choose().when('costMicroUsd', 'is', null).then(ref('reservedMicroUsd')).end()).as('uncosted'),
      fn
        .count(
          choose()
            .when(and([eb('costMicroUsd', 'is', null), eb('reservedMicroUsd', 'is', null)]))
            .then(lit(1))
            .end(),
        )
        .as('unpriced'),
    ])
    .groupBy('state')
}

/** What a run has spent and may still have to pay, including archived calls. Refused calls cost nothing. */
export function* readSpend(engine: Engine, runId: string): Steps<Spend> {
  const kept = yield* readKept(engine, runId)
  const rest = yield* rowsOf(sumsOf(engine, { runId, ...(kept && { after: kept.upTo }) }), spendSchema)
  const archived = engine.queries.selectFrom('callArchives').where('runId', '=', runId)
  const rows = [...(kept?.sums ?? []), ...rest, ...(yield* rowsOf(archived.selectAll(), spendSchema))]
  const calls: Record<CallState, number> = { open: 0, answered: 0, refused: 0, lost: 0 }
  for (const { state, count } of rows) calls[state] += count
  const paid = rows.filter(({ state }) => state !== 'refused')
  const total = (part: (row: (typeof rows)[number]) => number | null) =>
    paid.reduce((sum, row) => sum + (part(row) ?? 0), 0)
  return {
    calls,
    inputTokens: total((row) => row.inputTokens),
    outputTokens: total((row) => row.outputTokens),
    committedMicroUsd: total((row) => row.cost),
    reservedMicroUsd: total((row) => row.uncosted),
    unpricedCalls: total((row) => row.unpriced),
  }
}

/** Stored sums over the calls of a run up to one of them. */
interface KeptSums {
  readonly upTo: string
  readonly calls: number
  readonly sums: readonly Sums[]
}

const keptSchema = z
  .object({ runId: z.string(), upTo: z.string(), calls: integer, sums: jsonText, digest: z.string() })
  .describe('stored sums of calls')
const countSchema = z.object({ count: integer }).describe('count of calls')
const endSchema = z.object({ id: z.string() }).describe('call')

/**
 * Reads the stored sums; null: there are none, or they are no longer valid. The sums cover only closed calls, which never
 * change. So they are valid while the number of calls up to their last id stays the same: archiving calls changes it, and so
 * does a new call from a process whose clock is behind. No order of clocks is assumed.
 */
function* readKept(engine: Engine, runId: string): Steps<KeptSums | null> {
  const row = yield* rowOf(engine.queries.selectFrom('callSums').selectAll().where('runId', '=', runId), keptSchema)
  if (row === null || row.digest !== digestOf(row)) return null
  const { upTo, calls } = row
  const stands = yield* rowOf(
    callsOf(engine, { runId, upTo }).select(({ fn }) => fn.countAll().as('count')),
    countSchema,
  )
  if (stands?.count !== calls) return null
  return { upTo, calls, sums: parseStored(z.array(spendSchema), row.sums, 'the stored sums of calls') }
}

/** Detects a row that was damaged or changed by mistake. It does not detect a deliberate change, as anybody can compute it. */
function digestOf({ runId, upTo, calls, sums }: Omit<Tables['callSums'], 'digest'>): string {
  return hash('sha256', JSON.stringify([runId, upTo, calls, sums]))
}

/** Fewer calls than this are summed up in a few milliseconds. */
const MANY = 2000

/** Whether there are at least `fewest` calls after those of the stored sums. */
export function* hasNewCalls(engine: Engine, runId: string, fewest: number = MANY): Steps<boolean> {
  const known = yield* rowOf(engine.queries.selectFrom('callSums').selectAll().where('runId', '=', runId), keptSchema)
  const later = callsOf(engine, { runId, ...(known && { after: known.upTo }) })
  const count = yield* rowOf(
    later.select(({ fn }) => fn.countAll().as('count')),
    countSchema,
  )
  return (count?.count ?? 0) >= fewest
}

/** The most calls summed up in one transaction, for which others wait. */
const AT_ONCE = 50_000

/** Stores sums that also cover the next calls, up to the first open one. False: there are none. */
export function* keepSums(engine: Engine, runId: string): Steps<boolean> {
  const { queries } = engine
  const kept = yield* readKept(engine, runId)
  const after: CallRange = { runId, ...(kept && { after: kept.upTo }) }
  const next = callsOf(engine, after).select('id').orderBy('id')
  const far = yield* rowOf(next.offset(AT_ONCE).limit(1), endSchema)
  const sums = yield* closedSums(engine, { ...after, ...(far && { before: far.id }) })
  const all = added([...(kept?.sums ?? []), ...sums])
  const upTo = sums.reduce((last, { lastId }) => (lastId > last ? lastId : last), '')
  if (upTo === '') return false
  const row = { runId, upTo, calls: all.reduce((total, { count }) => total + count, 0), sums: JSON.stringify(all) }
  const written = { ...row, digest: digestOf(row) }
  const insert = queries.insertInto('callSums').values(written)
  yield* affectedBy(insert.onConflict((conflict) => conflict.column('runId').doUpdateSet(written)))
  return true
}

const endsSchema = spendSchema.extend({ firstId: z.string(), lastId: z.string() }).describe('sum of calls')

/** Sums over the calls of a range before its first open one. */
function* closedSums(engine: Engine, range: CallRange): Steps<readonly z.infer<typeof endsSchema>[]> {
  const ends = sumsOf(engine, range).select(({ fn }) => [fn.min('id').as('firstId'), fn.max('id').as('lastId')])
  const sums = yield* rowsOf(ends, endsSchema)
  const open = sums.find(({ state }) => state === 'open')
  return open === undefined ? sums : yield* closedSums(engine, { ...range, before: open.firstId })
}

/** Adds up rows of the same state. */
function added(rows: readonly Sums[]): readonly Sums[] {
  const byState = new Map<CallState, Sums>()
  for (const row of rows) {
    const { state } = row
    const before = byState.get(state)
    byState.set(state, sumOf(before ?? NOTHING, row))
  }
  return [...byState.values()]
}

const NOTHING = { count: 0, inputTokens: 0, outputTokens: 0, cost: 0, uncosted: 0, unpriced: 0 }

function sumOf(left: Omit<Sums, 'state'>, right: Sums): Sums {
  return {
    state: right.state,
    count: left.count + right.count,
    inputTokens: (left.inputTokens ?? 0) + (right.inputTokens ?? 0),
    outputTokens: (left.outputTokens ?? 0) + (right.outputTokens ?? 0),
    cost: (left.cost ?? 0) + (right.cost ?? 0),
    uncosted: (left.uncosted ?? 0) + (right.uncosted ?? 0),
    unpriced: left.unpriced + right.unpriced,
  }
}

/** Deletes the calls of a run up to this id, keeps their sums, and returns their number. */
export function* moveOut(engine: Engine, runId: string, upTo: string, archived = Infinity): Steps<number> {
  const { queries } = engine
  yield* take(engine.lock(`archive of ${runId}`))
  const sums = yield* rowsOf(sumsOf(engine, { runId, upTo }), spendSchema)
  const found = sums.reduce((total, { count }) => total + count, 0)
  for (const row of sums) yield* affectedBy(addSums(queries, runId, row))
  yield* affectedBy(queries.deleteFrom('callSums').where('runId', '=', runId))
  const ofRun = queries.deleteFrom('calls').where('runId', '=', runId)
  const deleted = yield* affectedBy(ofRun.where('id', '<=', upTo))
  // Another process may have added a call since the archive was written, or since the calls were summed up.
  if (deleted <= Math.min(found, archived)) return deleted
  throw new StoreError('busy', `store: another process adds calls to run ${runId}: archive it again when it is done`)
}

function addSums(queries: Engine['queries'], runId: string, { state, ...sums }: Sums) {
  const { count, inputTokens, outputTokens, cost, uncosted, unpriced } = sums
  const row = {
    runId,
    state,
    count,
    unpriced,
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    cost: cost ?? 0,
    uncosted: uncosted ?? 0,
  }
  return queries
    .insertInto('callArchives')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['runId', 'state']).doUpdateSet(({ eb }) => ({
        count: eb('callArchives.count', '+', row.count),
        inputTokens: eb('callArchives.inputTokens', '+', row.inputTokens),
        outputTokens: eb('callArchives.outputTokens', '+', row.outputTokens),
        cost: eb('callArchives.cost', '+', row.cost),
        uncosted: eb('callArchives.uncosted', '+', row.uncosted),
        unpriced: eb('callArchives.unpriced', '+', row.unpriced),
      })),
    )
}
