import { z } from 'zod'
import { checkedLimit } from './checked-input.ts'
import type { Engine } from './engine.ts'
import { rowOf, rowsOf } from './operation.ts'
import { integer } from './row-schemas.ts'
import type { ReviewStore } from './store.ts'
import { StoreError } from './store-error.ts'

const reviewSchema = z
  .object({
    id: z.string(),
    runId: z.string(),
    questionId: z.string(),
    source: z.enum(['deferral', 'spot-check']),
    reason: z.string().nullable(),
    createdAt: integer,
    status: z.enum(['waiting', 'submitted', 'retracted']),
    assignee: z.string().nullable(),
    lockedUntil: integer.nullable(),
    outcome: z.string().nullable(),
  })
  .describe('review')

export function createReviewStore(engine: Engine): ReviewStore {
  const reviews = engine.queries.selectFrom('reviews').selectAll()
  return {
    add: async (review) => {
      const query = engine.queries.insertInto('reviews').values(review)
      if ((await engine.writeOne(query.onConflict((conflict) => conflict.doNothing()))) > 0) return
      throw new StoreError('exists', `store: review ${review.id} exists`)
    },
    find: (id) => engine.read(() => rowOf(reviews.where('id', '=', id), reviewSchema)),
    list: async ({ after, limit, status }) => {
      const later = after === null ? reviews : reviews.where('id', '>', after)
      const filtered = status === undefined ? later : later.where('status', '=', status)
      return engine.read(() => rowsOf(filtered.orderBy('id').limit(checkedLimit(limit)), reviewSchema))
    },
    update: async (id, expected, next) => {
      const query = engine.queries
        .updateTable('reviews')
        // An update must set something, also when nothing is asked of it.
        .set({ status: expected.status, ...next })
        .where('id', '=', id)
        .where('status', '=', expected.status)
        .where('assignee', expected.assignee === null ? 'is' : '=', expected.assignee)
        .where('lockedUntil', expected.lockedUntil === null ? 'is' : '=', expected.lockedUntil)
      return (await engine.writeOne(query)) > 0
    },
  }
}
