import { z } from 'zod'
import { takeNumbers } from './counters.ts'
import type { Engine } from './engine.ts'
import { insertLabel } from './label-store.ts'
import { appendEntry } from './ledger-store.ts'
import { affectedBy, rowOf, rowsOf, type Steps } from './operation.ts'
import { insertMessages } from './outbox-store.ts'
import { insertReview, readReview, reviewRow } from './review-row.ts'
import { addViewer } from './review-viewers.ts'
import type { Changed, StoredReview, Submission, Undoing } from './reviews.ts'
import { integer } from './row-schemas.ts'

/** The condition is part of the statement: of two that submit at once, one finds it submitted. */
export function* submit(engine: Engine, submission: Submission): Steps<Changed<'submitted' | 'repeated'>> {
  const { id, reviewer, outcome, note, at, undoUntil, label, entry, messages } = submission
  const written = {
    outcome,
    note: note === null ? null : JSON.stringify(note),
    by: reviewer,
    submittedAt: at,
    undoUntil,
  }
  const query = engine.queries
    .updateTable('reviews')
    .set({ ...written, status: 'submitted', queue: null })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .where('assignee', '=', reviewer)
  const review = yield* rowOf(query.returningAll(), reviewRow)
  if (review === null) return yield* refusedOrRepeated(engine, submission)
  yield* insertLabel(engine, label)
  yield* affectedBy(engine.queries.deleteFrom('reviewSkips').where('reviewId', '=', id))
  yield* insertMessages(engine, messages)
  yield* appendEntry(engine, entry)
  return { kind: 'submitted', review }
}

export function* undo(engine: Engine, undoing: Undoing): Steps<Changed<'undone' | 'retracted'>> {
  const { id, reviewer, now } = undoing
  const review = yield* readReview(engine, id)
  if (review === null || review.by === null) return { kind: 'refused', review }
  if (review.submittedAt !== undoing.submittedAt) return { kind: 'refused', review }
  if (reviewer !== null && review.by !== reviewer) return { kind: 'refused', review }
  if (review.status === 'retracted') return { kind: 'retracted', review }
  const hasTime = review.undoUntil !== null && now < review.undoUntil
  if (hasTime && !(yield* hasLeft(engine, id))) return yield* takeBack(engine, review, undoing)
  return yield* retract(engine, review, undoing)
}

function* refusedOrRepeated(
  engine: Engine,
  { id, reviewer, outcome }: Submission,
): Steps<Changed<'submitted' | 'repeated'>> {
  const review = yield* readReview(engine, id)
  const isSame = review?.status === 'submitted' && review.by === reviewer && review.outcome === outcome
  return isSame ? { kind: 'repeated', review } : { kind: 'refused', review }
}

/** A decision may have the same subject. */
const SUBMITTED = 'review.submitted'

/** Locked, so that nobody takes one to send it meanwhile. */
function* hasLeft({ queries, name }: Engine, subject: string): Steps<boolean> {
  const query = queries
    .selectFrom('outbox')
    .select('attempts')
    .where('subject', '=', subject)
    .where('event', '=', SUBMITTED)
  const sent = yield* rowsOf(name === 'postgres' ? query.forUpdate() : query, z.object({ attempts: integer }))
  return sent.some(({ attempts }) => attempts > 0)
}

function* takeBack(engine: Engine, review: StoredReview, undoing: Undoing): Steps<Changed<'undone'>> {
  const { queries } = engine
  const changed = {
    status: 'waiting' as const,
    assignee: review.by,
    lockedUntil: undoing.now + undoing.lockMs,
    outcome: null,
    note: null,
    by: null,
    submittedAt: null,
    undoUntil: null,
    claimedBy: review.by,
    claimedAt: undoing.now,
  }
  yield* affectedBy(queries.updateTable('reviews').set(changed).where('id', '=', review.id))
  yield* takeNumbers(engine, 'labels', 1)
  yield* affectedBy(queries.deleteFrom('labels').where('reviewId', '=', review.id))
  const told = queries.updateTable('outbox').set({ nextAt: null }).where('subject', '=', review.id)
  yield* affectedBy(told.where('event', '=', SUBMITTED))
  yield* appendEntry(engine, undoing.undone)
  return { kind: 'undone', review: { ...review, ...changed } }
}

function* retract(engine: Engine, review: StoredReview, undoing: Undoing): Steps<Changed<'retracted'>> {
  const { queries } = engine
  const { id, runId, questionId, source, reason, createdAt, distance } = review
  yield* affectedBy(queries.updateTable('reviews').set({ status: 'retracted' }).where('id', '=', id))
  yield* takeNumbers(engine, 'labels', 1)
  yield* affectedBy(queries.updateTable('labels').set({ retractedAt: undoing.now }).where('reviewId', '=', id))
  const replacement = {
    id: undoing.replacementId,
    runId,
    questionId,
    source,
    reason,
    createdAt,
    distance,
    status: 'waiting' as const,
    assignee: null,
    lockedUntil: null,
    outcome: null,
  }
  yield* insertReview(engine, { ...replacement, list: review.list })
  // It was final, so both may have read what the panel answered.
  for (const reviewer of new Set([review.by ?? undoing.by, undoing.by])) {
    yield* addViewer(engine, { runId, questionId, reviewer })
  }
  yield* insertMessages(engine, undoing.retraction)
  yield* appendEntry(engine, undoing.retracted)
  return { kind: 'retracted', review: { ...review, status: 'retracted' } }
}
