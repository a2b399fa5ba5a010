import { type ExpressionBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Engine } from './engine.ts'
import { affectedBy, rowOf, type Steps } from './operation.ts'
import { OWN_LIST, readReview, reviewSchema } from './review-row.ts'
import { addViewer, knowsPanel, mayTake } from './review-viewers.ts'
import type { Changed, Claim, NextClaim, Slot, StoredReview } from './reviews.ts'
import { integer } from './row-schemas.ts'
import { flag, type Tables } from './schema.ts'
import type { Millis } from './store.ts'

/** Hand-outs are numbered, so they happen one after the other; reading and submitting wait for none of them. */
const LOCK = 'review queue'

const stateSchema = z.object({ handedOut: integer, owed: integer }).describe('state of the queue')
type QueueState = z.infer<typeof stateSchema>

export function* claimNext(engine: Engine, next: NextClaim): Steps<StoredReview | null> {
  const state = yield* lockQueue(engine)
  yield* freeExpired(engine, next.now)
  const slot = next.slot(state.handedOut)
  const review = yield* findFree(engine, slot, next)
  if (review === null) return null
  return yield* handOut(engine, review, { claim: next, slot, state: { ...state, handedOut: state.handedOut + 1 } })
}

/** Who picks an item gets a deferral blind by the same rule as at a seeded place, so that picking tells nothing. */
export function* claim(engine: Engine, id: string, by: Claim): Steps<Changed<'claimed'>> {
  const state = yield* lockQueue(engine)
  const review = yield* readReview(engine, id)
  if (review?.status !== 'waiting' || isHeldByOther(review, by)) return { kind: 'refused', review }
  const free = engine.queries.selectFrom('reviews').selectAll().where('id', '=', id).where(mayTake(by))
  if ((yield* rowOf(free, reviewSchema)) === null) return { kind: 'refused', review }
  return { kind: 'claimed', review: yield* handOut(engine, review, { claim: by, slot: 'blind-deferral', state }) }
}

export function* release(
  engine: Engine,
  id: string,
  { reviewer, now, skip }: { readonly reviewer: string; readonly now: Millis; readonly skip: boolean },
): Steps<Changed<'released'>> {
  const put = engine.queries
    .updateTable('reviews')
    .set({ assignee: null, lockedUntil: null, queue: OWN_LIST, ...(skip ? SKIPPED : {}) })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .where('assignee', '=', reviewer)
  const review = yield* rowOf(put.returningAll(), reviewSchema)
  if (review === null) return { kind: 'refused', review: yield* readReview(engine, id) }
  if (skip) {
    const skipped = engine.queries.insertInto('reviewSkips').values({ reviewer, reviewId: id, at: now })
    yield* affectedBy(
      skipped.onConflict((conflict) => conflict.columns(['reviewer', 'reviewId']).doUpdateSet({ at: now })),
    )
  }
  return { kind: 'released', review }
}

/** A blind item that was skipped more often than this, by whomever, stands first in its list for everybody. */
const MOST_SKIPS = 3
/** Before every other: no distance and no time is below 0. */
const FIRST_RANK = -1

/** Blind deferrals are treated like spot checks: what comes back must not tell them apart. */
const SKIPPED = {
  skips: sql<number>`skips + 1`,
  rank: sql<number>`case when is_blind = 1 and skips >= ${sql.lit(MOST_SKIPS)} then ${sql.lit(FIRST_RANK)} else rank end`,
}

function isHeldByOther({ assignee, lockedUntil }: StoredReview, { reviewer, now }: Claim): boolean {
  return assignee !== null && assignee !== reviewer && lockedUntil !== null && lockedUntil > now
}

function* lockQueue(engine: Engine): Steps<QueueState> {
  const lock = engine.lock(LOCK)
  if (lock !== null) yield lock
  const query = engine.queries.selectFrom('reviewQueue').select(['handedOut', 'owed']).where('id', '=', 1)
  return (yield* rowOf(query, stateSchema)) ?? { handedOut: 0, owed: 0 }
}

/** Locks that ran out put their items back into the lists; whoever held one may still submit it until it is taken. */
function* freeExpired({ queries }: Engine, now: Millis): Steps<void> {
  yield* affectedBy(
    queries
      .updateTable('reviews')
      .set({ queue: OWN_LIST })
      .where('status', '=', 'waiting')
      .where('queue', 'is', null)
      .where('lockedUntil', '<=', now),
  )
}

function* findFree(engine: Engine, slot: Slot, taker: Claim): Steps<StoredReview | null> {
  const lists = slot === 'spot-check' ? (['spot-check', 'deferral'] as const) : (['deferral', 'spot-check'] as const)
  for (const list of lists) {
    const first = (yield* dueAgain(engine, list, taker)) ?? (yield* firstOf(engine, list, taker))
    if (first !== null) return first
  }
  return yield* longestSkipped(engine, taker)
}

function firstOf({ queries, name }: Engine, list: StoredReview['source'], taker: Claim) {
  const query = queries
    .selectFrom('reviews')
    .selectAll()
    .where('queue', '=', list)
    .where(({ eb, or }) => or([eb('rank', '=', FIRST_RANK), unskippedBy(taker.reviewer)(eb)]))
    .where(mayTake(taker))
    .orderBy('rank')
    .orderBy('id')
    .limit(1)
  // A row that somebody is submitting or releasing is not waited for.
  return rowOf(name === 'postgres' ? query.forUpdate().skipLocked() : query, reviewSchema)
}

function unskippedBy(reviewer: string) {
  return ({ not, exists, selectFrom }: ExpressionBuilder<Tables, 'reviews'>) => {
    const skips = selectFrom('reviewSkips').select('reviewId').where('reviewer', '=', reviewer)
    return not(exists(skips.whereRef('reviewId', '=', 'reviews.id')))
  }
}

/**
 * What the reviewer skipped comes back when all that waited in the same list at that time were offered: later ones do not
 * keep it away, or who skips it would never see it again.
 */
function* dueAgain(engine: Engine, list: StoredReview['source'], taker: Claim): Steps<StoredReview | null> {
  const skipped = yield* rowOf(skippedBy(engine, taker).where('reviews.queue', '=', list), skippedSchema)
  if (skipped === null) return null
  const waited = engine.queries
    .selectFrom('reviews')
    .select('id')
    .where('queue', '=', list)
    .where('createdAt', '<=', skipped.skippedAt)
    .where(unskippedBy(taker.reviewer))
    .where(mayTake(taker))
    .limit(1)
  return (yield* rowOf(waited, z.object({ id: z.string() }))) === null ? skipped.review : null
}

const skippedSchema = z
  .looseObject({ skippedAt: integer })
  .transform(({ skippedAt, ...review }) => ({ skippedAt, review: reviewSchema.parse(review) }))
  .describe('skipped review')

function longestSkipped(engine: Engine, taker: Claim) {
  return rowOf(skippedBy(engine, taker).where('reviews.queue', 'is not', null), reviewSchema)
}

/** Longest ago first. */
function skippedBy({ queries, name }: Engine, taker: Claim) {
  const query = queries
    .selectFrom('reviewSkips')
    .innerJoin('reviews', 'reviews.id', 'reviewSkips.reviewId')
    .selectAll('reviews')
    .select('reviewSkips.at as skippedAt')
    .where('reviewSkips.reviewer', '=', taker.reviewer)
    .where(mayTake(taker))
    .orderBy('reviewSkips.at')
    .orderBy('reviewSkips.reviewId')
    .limit(1)
  return name === 'postgres' ? query.forUpdate('reviews').skipLocked() : query
}

interface HandOut {
  readonly claim: Claim
  readonly slot: Slot
  readonly state: QueueState
}

/** Whether an item is blind is drawn when it is handed out first, and stays, unless who takes it knows the panel. */
function* handOut(engine: Engine, review: StoredReview, { claim: by, slot, state }: HandOut): Steps<StoredReview> {
  const isBlind = !(yield* knowsPanel(engine, review, by)) && (review.isBlind ?? isDrawnBlind(review, slot, state))
  const isOwing = review.isBlind === null && isBlind
  const owed = state.owed + (isOwing ? (review.source === 'spot-check' ? 1 : -1) : 0)
  const changed = { assignee: by.reviewer, lockedUntil: by.now + by.lockMs }
  const { queries } = engine
  yield* affectedBy(
    queries
      .updateTable('reviews')
      .set({ ...changed, isBlind: flag(isBlind), queue: null })
      .where('id', '=', review.id),
  )
  yield* affectedBy(queries.updateTable('reviewQueue').set({ handedOut: state.handedOut, owed }).where('id', '=', 1))
  const { runId, questionId } = review
  if (!isBlind) yield* addViewer(engine, { runId, questionId, reviewer: by.reviewer })
  return { ...review, ...changed, isBlind }
}

/**
 * `owed`: spot checks less blind deferrals so far. A seeded place may run one ahead, so that neither kind always comes
 * first; elsewhere a deferral is blind only when two are owed, after a stretch that had spot checks alone.
 */
function isDrawnBlind({ source }: StoredReview, slot: Slot, { owed }: QueueState): boolean {
  if (source === 'spot-check') return true
  return slot === 'blind-deferral' ? owed >= 0 : owed >= 2
}
