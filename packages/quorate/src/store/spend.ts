import { z } from 'zod'
import type { Engine } from './engine.ts'
import { rowsOf, type Steps } from './operation.ts'
import { integer } from './row-schemas.ts'
import type { CallState, Spend } from './store.ts'

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

/** What a run has spent and may still have to pay; refused calls cost nothing. */
export function* readSpend({ queries }: Engine, runId: string): Steps<Spend> {
  const query = queries
    .selectFrom('calls')
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
    .where('runId', '=', runId)
    .groupBy('state')
  const rows = yield* rowsOf(query, spendSchema)
  const calls: Record<CallState, number> = { open: 0, answered: 0, refused: 0, lost: 0 }
  for (const { state, count } of rows) calls[state] = count
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
