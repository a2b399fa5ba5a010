import { sql } from 'kysely'
import { z } from 'zod'
import type { Engine } from './engine.ts'
import { affectedBy, rowOf, type Steps } from './operation.ts'
import type { Claim, StoredReview, Viewer } from './reviews.ts'

export function* addViewer({ queries }: Engine, viewer: Viewer): Steps<void> {
  yield* affectedBy(
    queries
      .insertInto('reviewViewers')
      .values(viewer)
      .onConflict((conflict) => conflict.doNothing()),
  )
}

type Taker = Pick<Claim, 'reviewer' | 'now'>

/** Of a row of `reviews`: who asks does not know the panel's answer, or nobody is left who does not, or it is not blind. */
export function mayTake(taker: Taker) {
  return sql<boolean>`(${isOpen} or not ${hasSeen(taker)} or not ${hasOther(taker)})`
}

/** Of a row of `reviews`: it was handed out openly, or will be. */
const isOpen = sql<boolean>`(reviews.is_blind = 0 or (reviews.is_blind is null and reviews.list = 'open'))`

const seenSchema = z.object({ id: z.string() }).describe('review that was seen')

export function* knowsPanel({ queries }: Engine, { id }: StoredReview, taker: Taker): Steps<boolean> {
  const query = queries.selectFrom('reviews').select('id').where('id', '=', id).where(hasSeen(taker))
  return (yield* rowOf(query, seenSchema)) !== null
}

function hasSeen({ reviewer }: Taker) {
  return sql<boolean>`exists (${viewers} and review_viewers.reviewer = ${reviewer})`
}

/** Another person who may review and does not know it. */
function hasOther({ reviewer, now }: Taker) {
  return sql<boolean>`exists (
    select 1 from tokens where tokens.kind = 'human' and tokens.role in ('reviewer', 'admin')
      and tokens.revoked_at is null and (tokens.expires_at is null or tokens.expires_at > ${now})
      and tokens.name <> ${reviewer} and not exists (${viewers} and review_viewers.reviewer = tokens.name)
  )`
}

const viewers = sql`select 1 from review_viewers
  where review_viewers.run_id = reviews.run_id and review_viewers.question_id = reviews.question_id`
