import { type Compilable, type ExpressionBuilder, sql } from 'kysely'
import { z } from 'zod'
import { appendEntry } from '../decisions/ledger-store.ts'
import type { Engine } from '../engine.ts'
import { affectedBy, rowOf, rowsOf, runAll, type Steps, take } from '../operation.ts'
import { perEngine } from '../per-engine.ts'
import { preparedQuery } from '../prepared-query.ts'
import { integer } from '../row-schemas.ts'
import { flag, type Tables } from '../schema.ts'
import type { Millis } from '../store.ts'
import { BY_DUE_DATE, OWN_LIST, readReview, reviewRow } from './review-row.ts'
import { addViewer, knowsPanel, mayAssigneeClaim, mayClaim } from './review-viewers.ts'
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
  return yield* writeClaim(engine, review, next, { handedOut: state.handedOut + 1 })
}

export function* claim(engine: Engine, id: string, by: Claim): Steps<Changed<'claimed'>> {
  const state = yield* lockQueue(engine)
  const review = yield* readReview(engine, id)
  if (review?.status !== 'waiting' || isClaimedByOther(review, by)) return { kind: 'refused', review }
  if (isAssignedToOther(review, by) && !isClaimedBy(review, by)) return { kind: 'refused', review }
  const free = engine.queries.selectFrom('reviews').selectAll().where('id', '=', id).where(mayClaim(by))
  if ((yield* rowOf(free, reviewRow)) === null || isUsedUp(review, by)) return { kind: 'refused', review }
  if (!isClaimedBy(review, by) && (yield* claimsTooMany(engine, by))) return { kind: 'refused', review }
  return { kind: 'claimed', review: yield* writeClaim(engine, review, by, state) }
}

export function claimsOf(engine: Engine, { reviewer, now }: Claimant): Steps<readonly StoredReview[]> {
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
function claimSpanOf({ lastClaimedBy, lastClaimedAt }: StoredReview, by: Claim) {
  const { reviewer, now, claimMs, maxTotalMs } = by
  if (maxTotalMs === undefined || lastClaimedBy !== reviewer || lastClaimedAt === null) return null
  const until = lastClaimedAt + maxTotalMs
  // Others have had `claimMs` to claim it, so the reviewer's time starts again.
  return now >= until + claimMs ? null : { since: lastClaimedAt, until }
}

/** Whether the reviewer has had the item for as long as allowed, so that others come first. */
export function isUsedUp(review: StoredReview, by: Claim): boolean {
  const span = claimSpanOf(review, by)
  return span !== null && by.now >= span.until
}

type Claimant = { readonly reviewer: string; readonly now: Millis }

/** A claimant, as values of a prepared query. */
type ClaimValues = Claimant & {
  /** A reviewer who claimed an item after `earliest` and not after `latest` has had it for as long as allowed. */
  readonly latest: Millis
  readonly earliest: Millis
}

function claimValues({ reviewer, now, claimMs, maxTotalMs }: Claim): ClaimValues {
  // Without a limit, an interval that contains no time.
  if (maxTotalMs === undefined) return { reviewer, now, latest: -1, earliest: -1 }
  return { reviewer, now, latest: now - maxTotalMs, earliest: now - maxTotalMs - claimMs }
}

/** The opposite of `isUsedUp`, as a condition on a row of `reviews`. */
function isFreeFor({ reviewer, latest, earliest }: ClaimValues) {
  return sql<boolean>`not (coalesce(reviews.last_claimed_by, '') = ${reviewer}
    and coalesce(reviews.last_claimed_at, 0) <= ${latest} and coalesce(reviews.last_claimed_at, 0) > ${earliest})`
}

function isClaimedBy({ claimedBy, claimedUntil }: StoredReview, { reviewer, now }: Claim): boolean {
  return claimedBy === reviewer && claimedUntil !== null && claimedUntil > now
}

export function* release(
  engine: Engine,
  id: string,
  { reviewer, now, skip }: { readonly reviewer: string; readonly now: Millis; readonly skip: boolean },
): Steps<Changed<'released'>> {
  const put = engine.queries
    .updateTable('reviews')
    .set({ claimedBy: null, claimedUntil: null, queue: OWN_LIST, ...(skip ? SKIPPED : {}) })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .where('claimedBy', '=', reviewer)
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

function isClaimedByOther({ claimedBy, claimedUntil }: StoredReview, { reviewer, now }: Claim): boolean {
  return claimedBy !== null && claimedBy !== reviewer && claimedUntil !== null && claimedUntil > now
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

function* findFree(engine: Engine, slot: ReviewList, by: Claim): Steps<StoredReview | null> {
  const queries = prepared(engine)
  const values = claimValues(by)
  const first = (query: (values: ClaimValues) => Compilable) => rowOf(query(values), reviewRow)
  const assigned = (yield* first(queries.assigned)) ?? (yield* first(queries.overdue))
  if (assigned !== null) return assigned
  const lists = slot === 'blind' ? (['blind', 'open'] as const) : (['open', 'blind'] as const)
  for (const list of lists) {
    const found = (yield* dueAgain(engine, list, values)) ?? (yield* first(queries[list].first))
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
function* dueAgain(engine: Engine, list: ReviewList, values: ClaimValues): Steps<StoredReview | null> {
  const { skipped: skippedOfList, waited } = prepared(engine)[list]
  const skipped = yield* rowOf(skippedOfList(values), skippedSchema)
  if (skipped === null) return null
  const { skippedAt } = skipped
  return (yield* rowOf(waited({ ...values, skippedAt }), z.object({ id: z.string() }))) === null ? skipped.review : null
}

const skippedSchema = z
  .looseObject({ skippedAt: integer })
  .transform(({ skippedAt, ...review }) => ({ skippedAt, review: reviewRow.parse(review) }))
  .describe('skipped review')

/** An item stays blind or open as chosen when it was added, unless the claimant knows the panel's answer. */
function* writeClaim(engine: Engine, review: StoredReview, by: Claim, state: QueueState): Steps<StoredReview> {
  const isBlind = !(yield* knowsPanel(engine, review.id, by.reviewer)) && (review.isBlind ?? review.list === 'blind')
  const span = claimSpanOf(review, by)
  const claimed = { claimedBy: by.reviewer, lastClaimedBy: by.reviewer, lastClaimedAt: span?.since ?? by.now }
  const changed = { ...claimed, claimedUntil: Math.min(by.now + by.claimMs, span?.until ?? Number.MAX_SAFE_INTEGER) }
  const { claim: claimItem, count } = prepared(engine)
  yield* runAll([claimItem({ ...changed, isBlind: flag(isBlind), id: review.id }), count({ ...state })])
  const { runId, questionId } = review
  if (!isBlind) yield* addViewer(engine, { runId, questionId, reviewer: by.reviewer })
  return { ...review, ...changed, isBlind }
}

const CLAIM_VALUES = ['reviewer', 'now', 'latest', 'earliest'] as const
const CLAIM_COLUMNS = ['id', 'claimedBy', 'lastClaimedBy', 'lastClaimedAt', 'claimedUntil', 'isBlind'] as const
type ClaimedRow = Pick<Tables['reviews'], (typeof CLAIM_COLUMNS)[number]>

/**
 * The queries that every claim runs. Lists and states are part of their SQL text, because SQLite plans a query again for each
 * value that decides on a partial index.
 */
const prepared = perEngine((queries, name) => {
  const WAITING = sql.lit('waiting' as const)

  /** Skips rows that other transactions are submitting or releasing. */
  const locked = <Query extends ReturnType<typeof freeItems>>(query: Query) =>
    name === 'postgres' ? query.forUpdate('reviews').skipLocked() : query

  function freeItems(values: ClaimValues, queue: ReviewList | 'assigned') {
    const items = queries.selectFrom('reviews').selectAll('reviews').where('queue', '=', sql.lit(queue))
    return items.where(mayClaim(values)).where(isFreeFor(values))
  }

  /** Assigned items that are free, in the words of the partial indexes. */
  const assignedItems = (values: ClaimValues) =>
    freeItems(values, 'assigned').where(unskippedBy(values.reviewer)).limit(1)

  /** The item that was skipped longest ago comes first. */
  function skippedBy(values: ClaimValues) {
    const own = queries
      .selectFrom('reviewSkips')
      .innerJoin('reviews', 'reviews.id', 'reviewSkips.reviewId')
      .selectAll('reviews')
      .select('reviewSkips.at as skippedAt')
      .where('reviewSkips.reviewer', '=', values.reviewer)
      .where(({ or, eb }) =>
        or([eb('reviews.queue', '<>', sql.lit('assigned' as const)), eb('reviews.assignedTo', '=', values.reviewer)]),
      )
      .where(mayClaim(values))
      .where(isFreeFor(values))
      .orderBy('reviewSkips.at')
      .orderBy('reviewSkips.reviewId')
      .limit(1)
    return name === 'postgres' ? own.forUpdate('reviews').skipLocked() : own
  }

  const ofList = (list: ReviewList) => ({
    first: preparedQuery(CLAIM_VALUES, (values: ClaimValues) =>
      locked(
        freeItems(values, list)
          .where(({ eb, or }) => or([eb('rank', '=', sql.lit(FIRST_RANK)), unskippedBy(values.reviewer)(eb)]))
          .orderBy('rank')
          .orderBy('arrival')
          .orderBy('id')
          .limit(1),
      ),
    ),
    skipped: preparedQuery(CLAIM_VALUES, (values: ClaimValues) =>
      skippedBy(values).where('reviews.queue', '=', sql.lit(list)),
    ),
    waited: preparedQuery([...CLAIM_VALUES, 'skippedAt'], (values: ClaimValues & { readonly skippedAt: Millis }) =>
      freeItems(values, list)
        .clearSelect()
        .select('id')
        .where('createdAt', '<=', values.skippedAt)
        .where(unskippedBy(values.reviewer))
        .limit(1),
    ),
  })

  return {
    blind: ofList('blind'),
    open: ofList('open'),
    /** Items assigned to the claimant, by due date and then by age, whether blind or open. */
    assigned: preparedQuery(CLAIM_VALUES, (values: ClaimValues) => {
      const own = assignedItems(values).where('assignedTo', '=', values.reviewer)
      return locked(own.orderBy(BY_DUE_DATE).orderBy('createdAt').orderBy('id'))
    }),
    /** Items whose due date has passed: any reviewer may claim them. */
    overdue: preparedQuery(CLAIM_VALUES, (values: ClaimValues) =>
      locked(assignedItems(values).where('dueAt', '<=', values.now).orderBy('dueAt').orderBy('id')),
    ),
    /** Items assigned to a person who may not review them, or not any more. They must not wait for ever. */
    stranded: preparedQuery(CLAIM_VALUES, (values: ClaimValues) => {
      const others = assignedItems(values).where(sql<boolean>`${mayAssigneeClaim(values.now)} is not true`)
      return locked(others.orderBy('rank').orderBy('arrival').orderBy('id'))
    }),
    longestSkipped: preparedQuery(CLAIM_VALUES, (values: ClaimValues) =>
      skippedBy(values).where('reviews.queue', 'is not', null),
    ),
    state: preparedQuery([], () => queries.selectFrom('reviewQueue').select('handedOut').where('id', '=', 1)),
    count: preparedQuery(['handedOut'], ({ handedOut }: { readonly handedOut: number }) =>
      queries.updateTable('reviewQueue').set({ handedOut }).where('id', '=', 1),
    ),
    claims: preparedQuery(['reviewer', 'now'], ({ reviewer, now }: Claimant) =>
      queries
        .selectFrom('reviews')
        .selectAll()
        .where('claimedBy', '=', reviewer)
        .where('status', '=', WAITING)
        .where('claimedUntil', '>', now)
        .orderBy('claimedUntil')
        .orderBy('id'),
    ),
    freeExpired: preparedQuery(['now'], ({ now }: { readonly now: Millis }) =>
      queries
        .updateTable('reviews')
        .set({ queue: OWN_LIST })
        .where('status', '=', WAITING)
        .where('queue', 'is', null)
        .where('claimedUntil', '<=', now),
    ),
    claim: preparedQuery(CLAIM_COLUMNS, ({ id, ...claimed }: ClaimedRow) =>
      queries
        .updateTable('reviews')
        .set({ ...claimed, queue: null })
        .where('id', '=', id),
    ),
  }
})
