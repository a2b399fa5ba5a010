import { type Insertable, sql } from 'kysely'
import { z } from 'zod'
import type { Engine } from './engine.ts'
import { affectedBy, rowOf, type Steps } from './operation.ts'
import type { Review, StoredReview } from './reviews.ts'
import { flagValue, integer, jsonString } from './row-schemas.ts'
import type { Tables } from './schema.ts'
import { StoreError } from './store-error.ts'

const BILLION = 1e9
/** Of a deferral whose distance is not known: after every other, as no distance exceeds 1. */
const UNKNOWN_RANK = 2 * BILLION

export const reviewSchema = z
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
    distance: integer.transform((billionths) => billionths / BILLION).nullable(),
    isBlind: flagValue.nullable(),
    by: z.string().nullable(),
    submittedAt: integer.nullable(),
    undoUntil: integer.nullable(),
    note: jsonString.nullable(),
  })
  .describe('review')

/** A free item stands in the list of its source; for an update, which does not know the source. */
export const OWN_LIST = sql.ref<StoredReview['source']>('source')

export function* insertReview({ queries }: Engine, review: Review): Steps<void> {
  const query = queries.insertInto('reviews').values(rowOfReview(review))
  if ((yield* affectedBy(query.onConflict((conflict) => conflict.doNothing()))) > 0) return
  throw new StoreError('exists', `store: review ${review.id} exists`)
}

/** Locked until the commit where rows can be. */
export function readReview({ queries, name }: Engine, id: string): Steps<StoredReview | null> {
  const query = queries.selectFrom('reviews').selectAll().where('id', '=', id)
  return rowOf(name === 'postgres' ? query.forUpdate() : query, reviewSchema)
}

function rowOfReview(review: Review): Insertable<Tables['reviews']> {
  const { source, status, lockedUntil, createdAt, distance = null } = review
  const billionths = distance === null ? null : Math.round(distance * BILLION)
  return {
    ...review,
    distance: billionths,
    rank: source === 'spot-check' ? createdAt : (billionths ?? UNKNOWN_RANK),
    queue: status === 'waiting' && lockedUntil === null ? source : null,
    ...{ isBlind: null, by: null, submittedAt: null, undoUntil: null, note: null, skips: 0 },
  }
}
