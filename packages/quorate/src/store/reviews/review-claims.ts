import { type Compilable, type ExpressionBuilder, sql } from 'kysely'
import { z } from 'zod'
import { appendEntry } from '../decisions/ledger-store.ts'
import type { Engine } from '../engine.ts'
import { affectedBy, rowOf, rowsOf, runAll, type Steps, take } from '../operation.ts'
import { perEngine } from '../per-engine.ts'
import { ONE, preparedQuery } from '../prepared-query.ts'
import { integer } from '../row-schemas.ts'
import { flag, type Tables } from '../schema.ts'
import type { Millis } from '../store.ts'
import { BY_DUE_DATE, OWN_LIST, readReview, reviewRow } from './review-row.ts'
import { addViewer, knowsPanel, mayBeTakenByAssignee, mayTake } from './review-viewers.ts'
import type { Changed, Claim, ClaimRelease, NextClaim, ReviewList, StoredReview } from './reviews.ts'

/** Claims are numbered, so they run one after another. Reading and submitting do not wait for them. */
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

export function claimsOf(engine: Engine, { reviewer, now }: Taker): Steps<readonly StoredReview[]> {
  return rowsOf(prepared(engine).claims({ reviewer, now }), reviewRow)
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

/** When the reviewer first claimed the item, and until when they may keep it; null: not their claim, or no limit applies. */
function turnOf({ claimedBy, claimedAt }: StoredReview, by: Claim) {
  const { reviewer, now, lockMs, maxTotalMs } = by
  if (maxTotalMs === undefined || claimedBy !== reviewer || claimedAt === null) return null
  const until = claimedAt + maxTotalMs
  // Others have had `lockMs` to claim it, so the reviewer's time starts again.
  return now >= until + lockMs ? null : { since: claimedAt, until }
}

/** Whether the reviewer has had the item for as long as allowed, so that others come first. */
export function isUsedUp(review: StoredReview, by: Claim): boolean {
  const turn = turnOf(review, by)
  return turn !== null && by.now >= turn.until
}

type Taker = { readonly reviewer: string; readonly now: Millis }

/** Who takes an item, as values of a prepared query. */
type Taking = Taker & {
  /** Who claimed an item after `earliest` and not after `latest` has held it for as long as allowed. */
  readonly latest: Millis
  readonly earliest: Millis
}

function takingOf({ reviewer, now, lockMs, maxTotalMs }: Claim): Taking {
  // Without a limit, a stretch that no time is in.
  if (maxTotalMs === undefined) return { reviewer, now, latest: -1, earliest: -1 }
  return { reviewer, now, latest: now - maxTotalMs, earliest: now - maxTotalMs - lockMs }
}

/** Of a row of `reviews`: the same as a condition. */
function isFreeFor({ reviewer, latest, earliest }: Taking) {
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

/** A blind item that was skipped more often than this, by all reviewers together, comes first in its list for everybody. */
const MOST_SKIPS = 3
/** Before all other ranks, because no distance and no time is below 0. */
const FIRST_RANK = -1

/** Blind deferrals are treated like spot checks, so that what comes back does not distinguish them. */
const SKIPPED = {
  skips: sql<number>`skips + 1`,
  rank: sql<number>`case when is_blind = 1 and skips >= ${sql.lit(MOST_SKIPS)} then ${sql.lit(FIRST_RANK)} else rank end`,
}

function isClaimedByOther({ assignee, lockedUntil }: StoredReview, { reviewer, now }: Claim): boolean {
  return assignee !== null && assignee !== reviewer && lockedUntil !== null && lockedUntil > now
}

function* lockQueue(engine: Engine): Steps<QueueState> {
  yield* take(engine.lock(LOCK))
  return (yield* rowOf(prepared(engine).state({}), stateSchema)) ?? { handedOut: 0 }
}

/** Returns items whose claims have expired to their lists. Their reviewers may still submit them until others claim them. */
function freeExpired(engine: Engine, now: Millis): Steps<void> {
  return runAll([prepared(engine).freeExpired({ now })])
}

/** Whether it is reserved for another person. */
export function isAssignedToOther({ assignedTo, dueAt }: StoredReview, { reviewer, now }: Claim): boolean {
  return assignedTo !== null && assignedTo !== reviewer && (dueAt === null || dueAt > now)
}

function* findFree(engine: Engine, slot: ReviewList, taker: Claim): Steps<StoredReview | null> {
  const queries = prepared(engine)
  const taking = takingOf(taker)
  const first = (of: (taking: Taking) => Compilable) => rowOf(of(taking), reviewRow)
  const assigned = (yield* first(queries.assigned)) ?? (yield* first(queries.overdue))
  if (assigned !== null) return assigned
  const lists = slot === 'blind' ? (['blind', 'open'] as const) : (['open', 'blind'] as const)
  for (const list of lists) {
    const found = (yield* dueAgain(engine, list, taking)) ?? (yield* first(queries[list].first))
    if (found !== null) return found
  }
  return (yield* first(queries.longestSkipped)) ?? (yield* first(queries.stranded))
}

function unskippedBy(reviewer: string) {
  return ({ not, exists, selectFrom }: ExpressionBuilder<Tables, 'reviews'>) => {
    const skips = selectFrom('reviewSkips').select('reviewId').where('reviewer', '=', reviewer)
    return not(exists(skips.whereRef('reviewId', '=', 'reviews.id')))
  }
}

/**
 * A skipped item comes back to its reviewer after all items that waited in the same list at that time were offered. Later items
 * do not delay it, or the reviewer might never see it again.
 */
function* dueAgain(engine: Engine, list: ReviewList, taking: Taking): Steps<StoredReview | null> {
  const { skipped: ofList, waited } = prepared(engine)[list]
  const skipped = yield* rowOf(ofList(taking), skippedSchema)
  if (skipped === null) return null
  const { skippedAt } = skipped
  return (yield* rowOf(waited({ ...taking, skippedAt }), z.object({ id: z.string() }))) === null ? skipped.review : null
}

const skippedSchema = z
  .looseObject({ skippedAt: integer })
  .transform(({ skippedAt, ...review }) => ({ skippedAt, review: reviewRow.parse(review) }))
  .describe('skipped review')

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
  const { handOut: toReviewer, count } = prepared(engine)
  yield* runAll([toReviewer({ ...changed, isBlind: flag(isBlind), id: review.id }), count({ ...state })])
  const { runId, questionId } = review
  if (!isBlind) yield* addViewer(engine, { runId, questionId, reviewer: by.reviewer })
  return { ...review, ...changed, isBlind }
}

const TAKING = ['reviewer', 'now', 'latest', 'earliest'] as const
const HANDED_OUT = ['id', 'assignee', 'claimedBy', 'claimedAt', 'lockedUntil', 'isBlind'] as const
type HandedOut = Pick<Tables['reviews'], (typeof HANDED_OUT)[number]>

/**
 * The queries that every claim runs. Lists and states are part of their SQL text, because SQLite plans a query again for each
 * value that decides on a partial index.
 */
const prepared = perEngine((queries, name) => {
  const WAITING = sql.lit('waiting' as const)

  /** Skips rows that other transactions are submitting or releasing. */
  const locked = <Query extends ReturnType<typeof freeItems>>(query: Query) =>
    name === 'postgres' ? query.forUpdate('reviews').skipLocked() : query

  function freeItems(taking: Taking, queue: ReviewList | 'assigned') {
    const items = queries.selectFrom('reviews').selectAll('reviews').where('queue', '=', sql.lit(queue))
    return items.where(mayTake(taking)).where(isFreeFor(taking))
  }

  /** Assigned and free, as the partial indexes say it. */
  const assignedItems = (taking: Taking) => freeItems(taking, 'assigned').where(unskippedBy(taking.reviewer)).limit(ONE)

  /** Longest ago first. */
  function skippedBy(taking: Taking) {
    const own = queries
      .selectFrom('reviewSkips')
      .innerJoin('reviews', 'reviews.id', 'reviewSkips.reviewId')
      .selectAll('reviews')
      .select('reviewSkips.at as skippedAt')
      .where('reviewSkips.reviewer', '=', taking.reviewer)
      .where(({ or, eb }) =>
        or([eb('reviews.queue', '<>', sql.lit('assigned' as const)), eb('reviews.assignedTo', '=', taking.reviewer)]),
      )
      .where(mayTake(taking))
      .where(isFreeFor(taking))
      .orderBy('reviewSkips.at')
      .orderBy('reviewSkips.reviewId')
      .limit(ONE)
    return name === 'postgres' ? own.forUpdate('reviews').skipLocked() : own
  }

  const ofList = (list: ReviewList) => ({
    first: preparedQuery(TAKING, (taking: Taking) =>
      locked(
        freeItems(taking, list)
          .where(({ eb, or }) => or([eb('rank', '=', sql.lit(FIRST_RANK)), unskippedBy(taking.reviewer)(eb)]))
          .orderBy('rank')
          .orderBy('arrival')
          .orderBy('id')
          .limit(ONE),
      ),
    ),
    skipped: preparedQuery(TAKING, (taking: Taking) => skippedBy(taking).where('reviews.queue', '=', sql.lit(list))),
    waited: preparedQuery([...TAKING, 'skippedAt'], (taking: Taking & { readonly skippedAt: Millis }) =>
      freeItems(taking, list)
        .clearSelect()
        .select('id')
        .where('createdAt', '<=', taking.skippedAt)
        .where(unskippedBy(taking.reviewer))
        .limit(ONE),
    ),
  })

  return {
    blind: ofList('blind'),
    open: ofList('open'),
    /** What is assigned to who asks, by due date and then by age, whatever it is. */
    assigned: preparedQuery(TAKING, (taking: Taking) => {
      const own = assignedItems(taking).where('assignedTo', '=', taking.reviewer)
      return locked(own.orderBy(BY_DUE_DATE).orderBy('createdAt').orderBy('id'))
    }),
    /** The due date of the assigned person is over: any reviewer may take it. */
    overdue: preparedQuery(TAKING, (taking: Taking) =>
      locked(assignedItems(taking).where('dueAt', '<=', taking.now).orderBy('dueAt').orderBy('id')),
    ),
    /** What is assigned to somebody who may not review it, or no longer: it must not wait for ever. */
    stranded: preparedQuery(TAKING, (taking: Taking) => {
      const others = assignedItems(taking).where(sql<boolean>`${mayBeTakenByAssignee(taking.now)} is not true`)
      return locked(others.orderBy('rank').orderBy('arrival').orderBy('id'))
    }),
    longestSkipped: preparedQuery(TAKING, (taking: Taking) => skippedBy(taking).where('reviews.queue', 'is not', null)),
    state: preparedQuery([], () => queries.selectFrom('reviewQueue').select('handedOut').where('id', '=', 1)),
    count: preparedQuery(['handedOut'], ({ handedOut }: { readonly handedOut: number }) =>
      queries.updateTable('reviewQueue').set({ handedOut }).where('id', '=', 1),
    ),
    claims: preparedQuery(['reviewer', 'now'], ({ reviewer, now }: Taker) =>
      queries
        .selectFrom('reviews')
        .selectAll()
        .where('assignee', '=', reviewer)
        .where('status', '=', WAITING)
        .where('lockedUntil', '>', now)
        .orderBy('lockedUntil')
        .orderBy('id'),
    ),
    freeExpired: preparedQuery(['now'], ({ now }: { readonly now: Millis }) =>
      queries
        .updateTable('reviews')
        .set({ queue: OWN_LIST })
        .where('status', '=', WAITING)
        .where('queue', 'is', null)
        .where('lockedUntil', '<=', now),
    ),
    handOut: preparedQuery(HANDED_OUT, ({ id, ...claimed }: HandedOut) =>
      queries
        .updateTable('reviews')
        .set({ ...claimed, queue: null })
        .where('id', '=', id),
    ),
  }
})
