import { appendEntry } from '../decisions/ledger-store.ts'
import type { Engine } from '../engine.ts'
import { affectedBy, rowOf, type Steps, take } from '../operation.ts'
import { release } from './review-claims.ts'
import { insertReview, OWN_LIST, readReview, reviewRow } from './review-row.ts'
import type { Assignment, BulkOutcome, ItemsRelease, ReviewRequest, StoredReview } from './reviews.ts'

export function* assign(engine: Engine, assignment: Assignment): Steps<ReadonlyMap<string, BulkOutcome>> {
  return yield* each(engine, assignment.ids, (review) => assignOne(engine, review, assignment))
}

export function* releaseItems(
  engine: Engine,
  { ids, now, entryOf }: ItemsRelease,
): Steps<ReadonlyMap<string, BulkOutcome>> {
  return yield* each(engine, ids, function* ({ id, claimedBy, claimedUntil }) {
    if (claimedBy === null || claimedUntil === null || claimedUntil <= now) return 'unchanged'
    const { kind, review } = yield* release(engine, id, { reviewer: claimedBy, now, skip: false })
    if (kind === 'refused') return 'unchanged'
    yield* appendEntry(engine, entryOf(review, claimedBy))
    return 'changed'
  })
}

export function* request(engine: Engine, requests: readonly ReviewRequest[]): Steps<number> {
  let added = 0
  for (const { review, entry } of inLockOrder(requests, keyOfQuestion)) {
    const { runId, questionId } = review
    yield* take(engine.lock(`reviews of ${runId} ${questionId}`))
    const ofQuestion = engine.queries
      .selectFrom('reviews')
      .selectAll()
      .where('runId', '=', runId)
      .where('questionId', '=', questionId)
      .where('status', '<>', 'retracted')
    if ((yield* rowOf(ofQuestion.limit(1), reviewRow)) !== null) continue
    yield* insertReview(engine, review)
    yield* appendEntry(engine, entry)
    added += 1
  }
  return added
}

function keyOfQuestion({ review: { runId, questionId } }: ReviewRequest): string {
  return JSON.stringify([runId, questionId])
}

/** Transactions that lock the same rows in the same order cannot deadlock. */
function inLockOrder<Value>(values: readonly Value[], keyOf: (value: Value) => string): readonly Value[] {
  const keyed = values.map((value) => ({ value, key: keyOf(value) }))
  return keyed.toSorted((left, right) => (left.key < right.key ? -1 : 1)).map(({ value }) => value)
}

function* each(
  engine: Engine,
  ids: readonly string[],
  change: (review: StoredReview) => Steps<BulkOutcome>,
): Steps<ReadonlyMap<string, BulkOutcome>> {
  const outcomes = new Map<string, BulkOutcome>()
  for (const id of inLockOrder([...new Set(ids)], (one) => one)) {
    const review = yield* readReview(engine, id)
    if (review === null) outcomes.set(id, 'missing')
    else outcomes.set(id, review.status === 'waiting' ? yield* change(review) : 'closed')
  }
  return outcomes
}

function* assignOne(engine: Engine, review: StoredReview, assignment: Assignment): Steps<BulkOutcome> {
  const { assignedTo = review.assignedTo, dueAt = review.dueAt, entryOf } = assignment
  if (assignedTo === review.assignedTo && dueAt === review.dueAt) return 'unchanged'
  const { queries } = engine
  yield* affectedBy(queries.updateTable('reviews').set({ assignedTo, dueAt }).where('id', '=', review.id))
  // A claimed item stays with its reviewer. A free one moves to its new list.
  const free = queries.updateTable('reviews').set({ queue: OWN_LIST }).where('id', '=', review.id)
  yield* affectedBy(free.where('queue', 'is not', null))
  yield* appendEntry(engine, entryOf({ ...review, assignedTo, dueAt }))
  return 'changed'
}
