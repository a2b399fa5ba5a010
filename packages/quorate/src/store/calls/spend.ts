import { z } from 'zod'
import type { Engine } from '../engine.ts'
import { affectedBy, rowsOf, type Steps, take } from '../operation.ts'
import { integer } from '../row-schemas.ts'
import type { CallState, Spend } from '../store.ts'

const spendSchema = z
  .object({
    state: z.enum(['open', 'answered', 'refused', 'lost']),
    count: integer,
    // A sum over no value is null.
    inputTokens: integer.nullable(),
    outputTokens: integer.nullable(),
    cost: integer.nullable(),
    uncosted: integer.nullable(),
    unpriced: integer,
  })
  .describe('sum of calls')

/** Sums of calls by their state; of all of a run, or of those up to an id. */
function sumsOf({ queries }: Engine, { runId, upTo }: { readonly runId: string; readonly upTo?: string }) {
  const calls = queries.selectFrom('calls').where('runId', '=', runId)
  const some = upTo === undefined ? calls : calls.where('id', '<=', upTo)
  return some
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

/** What a run has spent and may still have to pay, archived calls included; refused calls cost nothing. */
export function* readSpend(engine: Engine, runId: string): Steps<Spend> {
  const kept = yield* rowsOf(sumsOf(engine, { runId }), spendSchema)
  const archived = engine.queries.selectFrom('callArchives').where('runId', '=', runId)
  const rows = [...kept, ...(yield* rowsOf(archived.selectAll(), spendSchema))]
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

/** Takes the calls of a run up to this id out of the database, and keeps what they add to its sums; how many. */
export function* moveOut(engine: Engine, runId: string, upTo: string): Steps<number> {
  const { queries } = engine
  yield* take(engine.lock(`archive of ${runId}`))
  for (const sums of yield* rowsOf(sumsOf(engine, { runId, upTo }), spendSchema)) {
    yield* affectedBy(addSums(queries, runId, sums))
  }
  return yield* affectedBy(queries.deleteFrom('calls').where('runId', '=', runId).where('id', '<=', upTo))
}

function addSums(queries: Engine['queries'], runId: string, { state, ...sums }: z.infer<typeof spendSchema>) {
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
