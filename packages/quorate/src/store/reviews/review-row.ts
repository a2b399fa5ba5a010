import { type Insertable, sql } from 'kysely'
import { reviewSchema } from '../../record/review.ts'
import { StoreError } from '../../record/store-error.ts'
import type { Engine } from '../engine.ts'
import { affectedBy, rowOf, rowsOf, runAll, type Steps, take } from '../operation.ts'
import { perEngine } from '../per-engine.ts'
import { preparedQuery } from '../prepared-query.ts'
import { flagValue, integer, jsonString, jsonText } from '../row-schemas.ts'
import { flag, type Tables } from '../schema.ts'
import type { Review, ReviewList, StoredReview } from './reviews.ts'

const BILLION = 1e9
/** The rank of an item whose distance is unknown. It comes last, because no distance exceeds 1. */
const UNKNOWN_RANK = 2 * BILLION

export const reviewRow = reviewSchema
  .extend({
    outcome: jsonText.nullable(),
    distance: integer.transform((billionths) => billionths / BILLION).nullable(),
    isBlind: flagValue.nullable(),
    note: jsonString.nullable(),
  })
  .describe('review')

/** The queue of a free item, computed from its row by the update itself. */
export const OWN_LIST = sql<ReviewList | 'assigned'>`case when assigned_to is null then list else 'assigned' end`

/** Items without a due date come last. An index has the same expression. */
export const BY_DUE_DATE = sql<number>`coalesce(due_at, 9007199254740991)`

export function* insertReview(engine: Engine, review: Review): Steps<void> {
  const list = review.list ?? (yield* chosenList(engine, review))
  const { runId, questionId } = review
  yield* take(engine.lock(`reviews of ${runId} ${questionId}`))
  const sequence = sql<number>`(select coalesce(max(earlier.sequence), 0) + 1 from reviews as earlier
    where earlier.run_id = ${runId} and earlier.question_id = ${questionId})`
  const query = engine.queries
    .insertInto('reviews')
    .values({ ...rowOfReview(review, list), ...placeOf(review, list), sequence })
  if ((yield* affectedBy(query.onConflict((conflict) => conflict.doNothing()))) > 0) return
  throw new StoreError('exists', `store: review ${review.id} exists`)
}

type EarlierReview = Pick<Review, 'source'>

/** The earlier reviews that determine the lists of new ones. Nothing is read if no list has to be chosen. */
export function* sourcesBefore(engine: Engine, reviews: readonly Review[]): Steps<readonly EarlierReview[]> {
  const isChosen = reviews.some(({ source, list }) => list === undefined && source !== 'spot-check')
  return isChosen ? yield* latestSources(engine) : []
}

/** Inserts the first reviews of questions that are added in the same commit, so no other process can add one. */
export function* insertFirstReviews(
  engine: Engine,
  reviews: readonly Review[],
  before: readonly EarlierReview[],
): Steps<void> {
  const latest = [...before]
  const rows = reviews.map((review) => {
    const list = review.list ?? listFor(review, latest)
    latest.unshift({ source: review.source })
    latest.length = Math.min(latest.length, COUNTED)
    return { ...rowOfReview(review, list), ...placeOf(review, list), sequence: 1 }
  })
  if (rows.length > 0) yield* runAll([engine.queries.insertInto('reviews').values(rows)])
}

/** Reads a review and, on PostgreSQL, locks its row until the commit. */
export function readReview(engine: Engine, id: string): Steps<StoredReview | null> {
  return rowOf(byId(engine).locked({ id }), reviewRow)
}

export function findReview(engine: Engine, id: string): Steps<StoredReview | null> {
  return rowOf(byId(engine).found({ id }), reviewRow)
}

const byId = perEngine((queries, name) => {
  const ofId = ({ id }: { readonly id: string }) => queries.selectFrom('reviews').selectAll().where('id', '=', id)
  return {
    found: preparedQuery(['id'], ofId),
    locked: preparedQuery(['id'], (of: { readonly id: string }) =>
      name === 'postgres' ? ofId(of).forUpdate() : ofId(of),
    ),
  }
})

/** The number of latest items that determine the share of blind deferrals. */
const COUNTED = 200

const sourceSchema = reviewRow.pick({ source: true }).describe('source of a review')

/**
 * Spot checks are blind. A deferral is blind with a probability of at least one half that makes blind deferrals twice as
 * frequent as spot checks. So a blind item is a deferral with a probability of at least one half if deferrals are as frequent
 * as spot checks, and usually of about two thirds. Neither the item itself nor which earlier items were blind matters, so
 * knowing all earlier items reveals nothing about the next.
 */
function* chosenList(engine: Engine, review: Review): Steps<ReviewList> {
  return listFor(review, review.source === 'spot-check' ? [] : yield* latestSources(engine))
}

function latestSources({ queries }: Engine): Steps<readonly EarlierReview[]> {
  return rowsOf(queries.selectFrom('reviews').select('source').orderBy('id', 'desc').limit(COUNTED), sourceSchema)
}

function listFor({ source, chance = 0 }: Review, latest: readonly EarlierReview[]): ReviewList {
  if (source === 'spot-check') return 'blind'
  if (source === 'request') return 'open'
  const spotChecks = latest.filter((item) => item.source === 'spot-check').length
  // Items that people sent to review are never blind. Counted as deferrals, they would make fewer deferrals blind.
  const deferrals = latest.filter((item) => item.source === 'deferral').length
  return chance < blindShare(spotChecks, deferrals) ? 'blind' : 'open'
}

/** Adds one to each count, so that every deferral is blind at first. */
function blindShare(spotChecks: number, deferrals: number): number {
  return Math.min(1, Math.max(0.5, (2 * (spotChecks + 1)) / (deferrals + 1)))
}

function rowOfReview(
  { chance: _, ...review }: Review,
  list: ReviewList,
): Omit<Insertable<Tables['reviews']>, 'sequence' | 'rank' | 'arrival'> {
  const { status, claimedUntil, id } = review
  return {
    root: id,
    part: 1,
    ...review,
    distance: billionthsOf(review),
    list,
    queue: status === 'waiting' && claimedUntil === null ? list : null,
    // The person who requested the review could see the panel's answer, and so could every reviewer.
    isBlind: review.source === 'request' ? flag(false) : null,
    assignedTo: null,
    dueAt: null,
    lastClaimedBy: null,
    lastClaimedAt: null,
    by: null,
    submittedAt: null,
    undoUntil: null,
    note: null,
    skips: 0,
  }
}

/**
 * Blind items are offered in the order in which their questions arrived, which is also the order in which the monitor counts
 * spot checks. So no label has to wait for one that the queue would offer later. Blind deferrals follow the same order.
 */
function placeOf(review: Review, list: ReviewList) {
  const { runId, questionId, createdAt } = review
  if (list === 'open') return { rank: billionthsOf(review) ?? UNKNOWN_RANK, arrival: 0 }
  const of = (column: 'arrived_at' | 'arrival', otherwise: number) =>
    sql<number>`coalesce((select ${sql.ref(column)} from run_questions
      where run_questions.run_id = ${runId} and run_questions.question_id = ${questionId}), ${sql.lit(otherwise)})`
  return { rank: of('arrived_at', createdAt), arrival: of('arrival', 0) }
}

function billionthsOf({ distance = null }: Review): number | null {
  return distance === null ? null : Math.round(distance * BILLION)
}
