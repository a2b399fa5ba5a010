import { type ExpressionBuilder, sql } from 'kysely'
import { z } from 'zod'
import { appendEntry } from '../decisions/ledger-store.ts'
import type { Engine } from '../engine.ts'
import { affectedBy, rowOf, rowsOf, type Steps, take } from '../operation.ts'
import { integer } from '../row-schemas.ts'
import { flag, type Tables } from '../schema.ts'
import type { Millis } from '../store.ts'
import { BY_DUE_DATE, OWN_LIST, readReview, reviewRow } from './review-row.ts'
import { addViewer, knowsPanel, mayBeTakenByAssignee, mayTake } from './review-viewers.ts'
import type { Changed, Claim, ClaimRelease, NextClaim, ReviewList, StoredReview } from './reviews.ts'

/** Hand-outs are numbered, so they happen one after the other; reading and submitting wait for none of them. */
const LOCK = 'review queue'

const stateSchema = z.object({ handedOut: integer }).describe('state of the queue')
type QueueState = z.infer<typeof stateSchema>

export function* claimNext(engine: Engine, next: NextClaim): Steps<StoredReview | null> {
  const state = yield* lockQueue(engine)
  yield* freeExpired(engine, next.now)
  if (yield* claimsTooMany(engine, next)) return null
  const review = yield* findFree(engine, next.slot(state.handedOut), next)
  if (review === null) return null
  return yield* handOut(engine, review, { claim: next, state: { handedOut: state.handedOut + 1 } })
}

export function* claim(engine: Engine, id: string, by: Claim): Steps<Changed<'claimed'>> {
  const state = yield* lockQueue(engine)
  const review = yield* readReview(engine, id)
  if (review?.status !== 'waiting' || isClaimedByOther(review, by)) return { kind: 'refused', review }
  if (isAssignedToOther(review, by) && !isClaimedBy(review, by)) return { kind: 'refused', review }
  const free = engine.queries.selectFrom('reviews').selectAll().where('id', '=', id).where(mayTake(by))
  if ((yield* rowOf(free, reviewRow)) === null || isUsedUp(review, by)) return { kind: 'refused', review }
  if (!isClaimedBy(review, by) && (yield* claimsTooMany(engine, by))) return { kind: 'refused', review }
  return { kind: 'claimed', review: yield* handOut(engine, review, { claim: by, state }) }
}

export function claimsOf(
  { queries }: Engine,
  { reviewer, now }: { readonly reviewer: string; readonly now: Millis },
): Steps<readonly StoredReview[]> {
  const claimed = queries
    .selectFrom('reviews')
    .selectAll()
    .where('assignee', '=', reviewer)
    .where('status', '=', 'waiting')
  return rowsOf(claimed.where('lockedUntil', '>', now).orderBy('lockedUntil').orderBy('id'), reviewRow)
}

export function* releaseClaims(
  engine: Engine,
  { reviewer, now, entryOf }: ClaimRelease,
): Steps<readonly StoredReview[]> {
  const released: StoredReview[] = []
  for (const { id } of yield* claimsOf(engine, { reviewer, now })) {
    const { kind, review } = yield* release(engine, id, { reviewer, now, skip: false })
    if (kind === 'refused') continue
    yield* appendEntry(engine, entryOf(review))
    released.push(review)
  }
  return released
}

function* claimsTooMany(engine: Engine, by: Claim): Steps<boolean> {
  if (by.maxClaims === undefined) return false
  return (yield* claimsOf(engine, by)).length >= by.maxClaims
}

/** Until when the reviewer may hold the item, and from when on again; null: it is not theirs, or there is no limit. */
function turnOf({ claimedBy, claimedAt }: StoredReview, by: Claim) {
  const { reviewer, now, lockMs, maxTotalMs } = by
  if (maxTotalMs === undefined || claimedBy !== reviewer || claimedAt === null) return null
  const until = claimedAt + maxTotalMs
  // Others had their time: the reviewer restarts.
  return now >= until + lockMs ? null : { since: claimedAt, until }
}

/** Whether the reviewer held the item for as long as allowed, and others come first. */
export function isUsedUp(review: StoredReview, by: Claim): boolean {
  const turn = turnOf(review, by)
  return turn !== null && by.now >= turn.until
}

/** Of a row of `reviews`: the same as a condition. */
function isFreeFor({ reviewer, now, lockMs, maxTotalMs }: Claim) {
  if (maxTotalMs === undefined) return sql<boolean>`(1 = 1)`
  const [latest, earliest] = [now - maxTotalMs, now - maxTotalMs - lockMs]
  return sql<boolean>`not (coalesce(reviews.claimed_by, '') = ${reviewer}
    and coalesce(reviews.claimed_at, 0) <= ${latest} and coalesce(reviews.claimed_at, 0) > ${earliest})`
}

function isClaimedBy({ assignee, lockedUntil }: StoredReview, { reviewer, now }: Claim): boolean {
  return assignee === reviewer && lockedUntil !== null && lockedUntil > now
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
  const review = yield* rowOf(put.returningAll(), reviewRow)
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

/** Blind deferrals are treated like spot checks: what comes back must not distinguish them. */
const SKIPPED = {
  skips: sql<number>`skips + 1`,
  rank: sql<number>`case when is_blind = 1 and skips >= ${sql.lit(MOST_SKIPS)} then ${sql.lit(FIRST_RANK)} else rank end`,
}

function isClaimedByOther({ assignee, lockedUntil }: StoredReview, { reviewer, now }: Claim): boolean {
  return assignee !== null && assignee !== reviewer && lockedUntil !== null && lockedUntil > now
}

function* lockQueue(engine: Engine): Steps<QueueState> {
  yield* take(engine.lock(LOCK))
  const query = engine.queries.selectFrom('reviewQueue').select('handedOut').where('id', '=', 1)
  return (yield* rowOf(query, stateSchema)) ?? { handedOut: 0 }
}

/** Locks that ran out put their items back into the lists; its reviewer may still submit it until it is claimed. */
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

/** Whether it waits for somebody else alone. */
export function isAssignedToOther(
  { assignedTo, dueAt }: Pick<StoredReview, 'assignedTo' | 'dueAt'>,
  { reviewer, now }: Pick<Claim, 'reviewer' | 'now'>,
): boolean {
  return assignedTo !== null && assignedTo !== reviewer && (dueAt === null || dueAt > now)
}

function* findFree(engine: Engine, slot: ReviewList, taker: Claim): Steps<StoredReview | null> {
  const assigned = (yield* firstAssigned(engine, taker)) ?? (yield* firstOverdue(engine, taker))
  if (assigned !== null) return assigned
  const lists = slot === 'blind' ? (['blind', 'open'] as const) : (['open', 'blind'] as const)
  for (const list of lists) {
    const first = (yield* dueAgain(engine, list, taker)) ?? (yield* firstOf(engine, list, taker))
    if (first !== null) return first
  }
  return (yield* longestSkipped(engine, taker)) ?? (yield* firstStranded(engine, taker))
}

/** Assigned and free, as the partial indexes say it. */
const ASSIGNED = sql<boolean>`reviews.queue = 'assigned'`

function assignedItems({ queries }: Engine, taker: Claim) {
  return queries
    .selectFrom('reviews')
    .selectAll()
    .where(ASSIGNED)
    .where(unskippedBy(taker.reviewer))
    .where(mayTake(taker))
    .where(isFreeFor(taker))
    .limit(1)
}

function firstFree({ name }: Engine, query: ReturnType<typeof assignedItems>) {
  return rowOf(name === 'postgres' ? query.forUpdate().skipLocked() : query, reviewRow)
}

/** What is assigned to who asks, by due date and then by age, whatever it is. */
function firstAssigned(engine: Engine, taker: Claim) {
  const own = assignedItems(engine, taker).where('assignedTo', '=', taker.reviewer)
  return firstFree(engine, own.orderBy(BY_DUE_DATE).orderBy('createdAt').orderBy('id'))
}

/** The due date of the assigned person is over: any reviewer may take it. */
function firstOverdue(engine: Engine, taker: Claim) {
  const overdue = assignedItems(engine, taker).where('dueAt', '<=', taker.now)
  return firstFree(engine, overdue.orderBy('dueAt').orderBy('id'))
}

/** What is assigned to somebody who may not review it, or no longer: it must not wait for ever. */
function firstStranded(engine: Engine, taker: Claim) {
  const stranded = assignedItems(engine, taker).where(sql<boolean>`${mayBeTakenByAssignee(taker.now)} is not true`)
  return firstFree(engine, stranded.orderBy('rank').orderBy('arrival').orderBy('id'))
}

function firstOf({ queries, name }: Engine, list: ReviewList, taker: Claim) {
  const query = queries
    .selectFrom('reviews')
    .selectAll()
    .where('queue', '=', list)
    .where(({ eb, or }) => or([eb('rank', '=', FIRST_RANK), unskippedBy(taker.reviewer)(eb)]))
    .where(mayTake(taker))
    .where(isFreeFor(taker))
    .orderBy('rank')
    .orderBy('arrival')
    .orderBy('id')
    .limit(1)
  // Skips a row that another transaction is submitting or releasing.
  return rowOf(name === 'postgres' ? query.forUpdate().skipLocked() : query, reviewRow)
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
function* dueAgain(engine: Engine, list: ReviewList, taker: Claim): Steps<StoredReview | null> {
  const skipped = yield* rowOf(skippedBy(engine, taker).where('reviews.queue', '=', list), skippedSchema)
  if (skipped === null) return null
  const waited = engine.queries
    .selectFrom('reviews')
    .select('id')
    .where('queue', '=', list)
    .where('createdAt', '<=', skipped.skippedAt)
    .where(unskippedBy(taker.reviewer))
    .where(mayTake(taker))
    .where(isFreeFor(taker))
    .limit(1)
  return (yield* rowOf(waited, z.object({ id: z.string() }))) === null ? skipped.review : null
}

const skippedSchema = z
  .looseObject({ skippedAt: integer })
  .transform(({ skippedAt, ...review }) => ({ skippedAt, review: reviewRow.parse(review) }))
  .describe('skipped review')

function longestSkipped(engine: Engine, taker: Claim) {
  return rowOf(skippedBy(engine, taker).where('reviews.queue', 'is not', null), reviewRow)
}

/** Longest ago first. */
function skippedBy({ queries, name }: Engine, taker: Claim) {
  const query = queries
    .selectFrom('reviewSkips')
    .innerJoin('reviews', 'reviews.id', 'reviewSkips.reviewId')
    .selectAll('reviews')
    .select('reviewSkips.at as skippedAt')
    .where('reviewSkips.reviewer', '=', taker.reviewer)
    .where(({ or, eb }) => or([eb('reviews.queue', '<>', 'assigned'), eb('reviews.assignedTo', '=', taker.reviewer)]))
    .where(mayTake(taker))
    .where(isFreeFor(taker))
    .orderBy('reviewSkips.at')
    .orderBy('reviewSkips.reviewId')
    .limit(1)
  return name === 'postgres' ? query.forUpdate('reviews').skipLocked() : query
}

/** Whether an item is blind was chosen when it was added, and stays, unless who takes it knows the panel. */
function* handOut(
  engine: Engine,
  review: StoredReview,
  { claim: by, state }: { readonly claim: Claim; readonly state: QueueState },
): Steps<StoredReview> {
  const isBlind = !(yield* knowsPanel(engine, review, by)) && (review.isBlind ?? review.list === 'blind')
  const turn = turnOf(review, by)
  const claimed = { assignee: by.reviewer, claimedBy: by.reviewer, claimedAt: turn?.since ?? by.now }
  const changed = { ...claimed, lockedUntil: Math.min(by.now + by.lockMs, turn?.until ?? Number.MAX_SAFE_INTEGER) }
  const { queries } = engine
  yield* affectedBy(
    queries
      .updateTable('reviews')
      .set({ ...changed, isBlind: flag(isBlind), queue: null })
      .where('id', '=', review.id),
  )
  yield* affectedBy(queries.updateTable('reviewQueue').set({ handedOut: state.handedOut }).where('id', '=', 1))
  const { runId, questionId } = review
  if (!isBlind) yield* addViewer(engine, { runId, questionId, reviewer: by.reviewer })
  return { ...review, ...changed, isBlind }
}
