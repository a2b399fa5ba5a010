import { z } from 'zod'
import { checkedLimit } from './checked-input.ts'
import type { Engine } from './engine.ts'
import { rowsOf } from './operation.ts'
import { integer } from './row-schemas.ts'
import type { LabelStore } from './store.ts'
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
  })
  .describe('label')

export function createLabelStore(engine: Engine): LabelStore {
  const labels = engine.queries.selectFrom('labels').selectAll()
  return {
    add: async (label) => {
      const query = engine.queries.insertInto('labels').values(label)
      if ((await engine.writeOne(query.onConflict((conflict) => conflict.doNothing()))) > 0) return
      throw new StoreError('exists', `store: label ${label.id} exists`)
    },
    of: (questionId) =>
      engine.read(() => rowsOf(labels.where('questionId', '=', questionId).orderBy('id'), labelSchema)),
    list: async ({ after, limit, source }) => {
      const later = after === null ? labels : labels.where('id', '>', after)
      const filtered = source === undefined ? later : later.where('source', '=', source)
      return engine.read(() => rowsOf(filtered.orderBy('id').limit(checkedLimit(limit)), labelSchema))
    },
  }
}
