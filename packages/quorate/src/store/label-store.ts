import { z } from 'zod'
import { checkedLimit } from './checked-input.ts'
import type { Engine } from './engine.ts'
import { affectedBy, rowsOf, type Steps } from './operation.ts'
import { integer } from './row-schemas.ts'
import type { LabelStore, StoredLabel } from './store.ts'
import { StoreError } from './store-error.ts'

const labelSchema = z
  .object({
    id: z.string(),
    runId: z.string().nullable(),
    questionId: z.string(),
    gold: z.string().nullable(),
    source: z.enum(['import', 'deferral', 'spot-check']),
    by: z.string().nullable(),
    at: integer,
    verdict: z.enum(['option', 'cannot-tell', 'bad-question']),
    reviewId: z.string().nullable(),
  })
  .describe('label')

export function createLabelStore(engine: Engine): LabelStore {
  const labels = engine.queries.selectFrom('labels').selectAll().where('retractedAt', 'is', null)
  return {
    add: (label) => engine.write(() => insertLabel(engine, label)),
    of: (questionId) =>
      engine.read(() => rowsOf(labels.where('questionId', '=', questionId).orderBy('id'), labelSchema)),
    list: async ({ after, limit, source }) => {
      const later = after === null ? labels : labels.where('id', '>', after)
      const filtered = source === undefined ? later : later.where('source', '=', source)
      return engine.read(() => rowsOf(filtered.orderBy('id').limit(checkedLimit(limit)), labelSchema))
    },
  }
}

export function* insertLabel({ queries }: Engine, label: StoredLabel): Steps<void> {
  const row = { verdict: 'option' as const, reviewId: null, ...label, retractedAt: null }
  const query = queries.insertInto('labels').values(row)
  if ((yield* affectedBy(query.onConflict((conflict) => conflict.doNothing()))) > 0) return
  throw new StoreError('exists', `store: label ${label.id} exists, or its review has one`)
}
