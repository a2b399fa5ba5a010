import { sql } from 'kysely'
import { z } from 'zod'
import type { WebhookEvent } from '../../record/webhook-event.ts'
import { takeNumbers } from '../counters.ts'
import { appendEntry, erasedEntry } from '../decisions/ledger-store.ts'
import type { Engine } from '../engine.ts'
import { affectedBy, rowOf, rowsOf, runAll, type Steps, take } from '../operation.ts'
import { insertMessages } from '../outbox-store.ts'
import { perEngine } from '../per-engine.ts'
import { preparedQuery } from '../prepared-query.ts'
import { flagValue, integer } from '../row-schemas.ts'
import { insertLabel } from '../runs/label-store.ts'
import { erasedOutcome } from '../runs/redact.ts'
import type { Tables } from '../schema.ts'
import { insertReview, readReview, reviewRow } from './review-row.ts'
import { addViewer, hasAnotherReader } from './review-viewers.ts'
import type { Changed, JointReading, Review, StoredReview, Submission, Undoing } from './reviews.ts'

/** The condition is part of the statement, so of two concurrent submissions only the first succeeds. */
export function* submit(engine: Engine, given: Submission): Steps<Changed<'submitted' | 'repeated'>> {
  const isErased = yield* isQuestionErased(engine, given.id)
  const submission = isErased ? withoutTexts(given) : given
  const { id, reviewer, outcome, note: noteText, at: submittedAt, undoUntil, label, entry, messages } = submission
  const note = noteText === null ? null : JSON.stringify(noteText)
  const query = prepared(engine).submit({ id, by: reviewer, outcome, note, submittedAt, undoUntil })
  const review = yield* rowOf(query, reviewRow)
  if (review === null) return yield* refusedOrRepeated(engine, submission)
  if (submission.joint === undefined) yield* insertLabel(engine, label)
  else yield* submitJointly(engine, review, { ...submission, joint: submission.joint }, isErased)
  yield* runAll([prepared(engine).clearSkips({ id })])
  yield* insertMessages(engine, messages)
  yield* appendEntry(engine, isErased ? erasedEntry(entry) : entry)
  return { kind: 'submitted', review }
}

/**
 * Whether the question of a review is erased. It stays as it is until the commit, because erasing locks the same row. That row
 * is locked before the review, in the order in which erasing locks them.
 */
function* isQuestionErased(engine: Engine, reviewId: string): Steps<boolean> {
  const found = yield* rowOf(prepared(engine).questionOf({ reviewId }), z.object({ isErased: flagValue }))
  return found?.isErased ?? false
}

/** An erased question gets no new text. The verdict and the class still count. */
function withoutTexts(submission: Submission): Submission {
  const { outcome, label } = submission
  return { ...submission, outcome: erasedOutcome(outcome), note: null, label: { ...label, text: null } }
}

const SUBMISSION_COLUMNS = ['id', 'by', 'outcome', 'note', 'submittedAt', 'undoUntil'] as const
type Submitted = Pick<Tables['reviews'], (typeof SUBMISSION_COLUMNS)[number]>

/** The queries that every submission runs. States are part of their SQL text: SQLite plans a query again for each value. */
const prepared = perEngine((queries, name) => ({
  submit: preparedQuery(SUBMISSION_COLUMNS, ({ id, ...written }: Submitted) =>
    queries
      .updateTable('reviews')
      .set({ ...written, status: sql.lit('submitted' as const), queue: null })
      .where('id', '=', id)
      .where('status', '=', sql.lit('waiting' as const))
      .where('claimedBy', '=', written.by)
      .returningAll(),
  ),
  clearSkips: preparedQuery(['id'], ({ id }: { readonly id: string }) =>
    queries.deleteFrom('reviewSkips').where('reviewId', '=', id),
  ),
  questionOf: preparedQuery(['reviewId'], ({ reviewId }: { readonly reviewId: string }) => {
    const query = queries
      .selectFrom('runQuestions')
      .innerJoin('reviews', (join) =>
        join
          .onRef('reviews.runId', '=', 'runQuestions.runId')
          .onRef('reviews.questionId', '=', 'runQuestions.questionId'),
      )
      .select(({ case: choose, lit }) =>
        choose().when('runQuestions.question', 'is', null).then(lit(1)).else(lit(0)).end().as('isErased'),
      )
      .where('reviews.id', '=', reviewId)
    return name === 'postgres' ? query.forShare('runQuestions') : query
  }),
  readings: preparedQuery(['root'], ({ root }: { readonly root: string }) =>
    queries
      .selectFrom('reviews')
      .selectAll()
      .where('root', '=', root)
      .where('status', '<>', sql.lit('retracted' as const))
      .orderBy('part')
      .orderBy('sequence'),
  ),
}))

export function* undo(engine: Engine, undoing: Undoing): Steps<Changed<'undone' | 'retracted'>> {
  const { id, reviewer, now } = undoing
  const isErased = yield* isQuestionErased(engine, id)
  const review = yield* readReview(engine, id)
  if (review === null || review.by === null) return { kind: 'refused', review }
  if (review.submittedAt !== undoing.submittedAt) return { kind: 'refused', review }
  if (reviewer !== null && review.by !== reviewer) return { kind: 'refused', review }
  if (review.status === 'retracted') return { kind: 'retracted', review }
  const hasTime = review.undoUntil !== null && now < review.undoUntil
  if (hasTime && !(yield* hasLeft(engine, id))) return yield* takeBack(engine, review, undoing, isErased)
  return yield* retract(engine, review, undoing, isErased)
}

/** The label combines all readings. The next reading is added if one is needed and another person is available for it. */
function* submitJointly(
  engine: Engine,
  review: StoredReview,
  { label, joint, at }: Submission & { readonly joint: JointReading },
  isErased: boolean,
): Steps<void> {
  const readings = yield* readingsOf(engine, review)
  const resolved = joint.resolve(readings.filter(({ status }) => status === 'submitted'))
  yield* insertLabel(engine, { ...label, ...resolved.label, ...(isErased ? { text: null } : {}) })
  const { nextPart } = resolved
  if (nextPart === null || readings.some(({ part }) => part === nextPart)) return
  if (!(yield* hasAnotherReader(engine, review.root, at))) return
  yield* insertReview(engine, { ...waitingAgain(review, joint.nextId), part: nextPart, list: 'blind' })
}

/** All readings of an item that were not retracted, in order. Nobody can add one before the commit. */
function* readingsOf(engine: Engine, { root, runId, questionId }: StoredReview): Steps<readonly StoredReview[]> {
  yield* take(engine.lock(`reviews of ${runId} ${questionId}`))
  return yield* rowsOf(prepared(engine).readings({ root }), reviewRow)
}

/** After an answer was undone, the other answers determine the label, and a later reading that nobody has begun is deleted. */
function* resolveWithout(engine: Engine, review: StoredReview, { resolve }: Undoing, isErased: boolean): Steps<void> {
  const { queries } = engine
  const others = (yield* readingsOf(engine, review)).filter(({ id }) => id !== review.id)
  const later = others.filter(({ status, part, lastClaimedBy }) => {
    return status === 'waiting' && part > review.part && lastClaimedBy === null
  })
  for (const { id } of later) {
    yield* affectedBy(queries.deleteFrom('reviewSkips').where('reviewId', '=', id))
    yield* affectedBy(queries.deleteFrom('reviews').where('id', '=', id))
  }
  const standing = others.filter(({ status }) => status === 'submitted')
  const last = standing.at(-1)
  if (last === undefined) return
  const { grades, text, ...label } = resolve(standing).label
  const sequence = yield* takeNumbers(engine, 'labels', 1)
  const json = {
    grades: grades === null ? null : JSON.stringify(grades),
    text: text === null || isErased ? null : JSON.stringify(text),
  }
  const query = queries.updateTable('labels').set({ ...label, ...json, sequence })
  yield* affectedBy(query.where('reviewId', '=', last.id))
}

function* refusedOrRepeated(
  engine: Engine,
  { id, reviewer, outcome }: Submission,
): Steps<Changed<'submitted' | 'repeated'>> {
  const review = yield* readReview(engine, id)
  const isSame = review?.status === 'submitted' && review.by === reviewer && review.outcome === outcome
  return isSame ? { kind: 'repeated', review } : { kind: 'refused', review }
}

/** The event of a submission's messages. A message about a decision may have the same subject. */
const SUBMITTED: WebhookEvent = 'review.submitted'

/** Whether an attempt to send a message about it was made. The rows are locked, so that no process can send one meanwhile. */
function* hasLeft({ queries, name }: Engine, subject: string): Steps<boolean> {
  const query = queries
    .selectFrom('outbox')
    .select('attempts')
    .where('subject', '=', subject)
    .where('event', '=', SUBMITTED)
  const sent = yield* rowsOf(name === 'postgres' ? query.forUpdate() : query, z.object({ attempts: integer }))
  return sent.some(({ attempts }) => attempts > 0)
}

function* takeBack(
  engine: Engine,
  review: StoredReview,
  undoing: Undoing,
  isErased: boolean,
): Steps<Changed<'undone'>> {
  const { queries } = engine
  const changed = {
    status: 'waiting' as const,
    claimedBy: review.by,
    claimedUntil: undoing.now + undoing.claimMs,
    outcome: null,
    note: null,
    by: null,
    submittedAt: null,
    undoUntil: null,
    lastClaimedBy: review.by,
    lastClaimedAt: undoing.now,
  }
  yield* affectedBy(queries.updateTable('reviews').set(changed).where('id', '=', review.id))
  yield* takeNumbers(engine, 'labels', 1)
  yield* affectedBy(queries.deleteFrom('labels').where('reviewId', '=', review.id))
  const cancelled = queries.updateTable('outbox').set({ nextAt: null }).where('subject', '=', review.id)
  yield* affectedBy(cancelled.where('event', '=', SUBMITTED))
  yield* resolveWithout(engine, review, undoing, isErased)
  yield* appendEntry(engine, isErased ? erasedEntry(undoing.undone) : undoing.undone)
  return { kind: 'undone', review: { ...review, ...changed } }
}

function* retract(
  engine: Engine,
  review: StoredReview,
  undoing: Undoing,
  isErased: boolean,
): Steps<Changed<'retracted'>> {
  const { queries } = engine
  const { id, runId, questionId } = review
  yield* affectedBy(queries.updateTable('reviews').set({ status: 'retracted' }).where('id', '=', id))
  yield* takeNumbers(engine, 'labels', 1)
  yield* affectedBy(queries.updateTable('labels').set({ retractedAt: undoing.now }).where('reviewId', '=', id))
  yield* insertReview(engine, waitingAgain(review, undoing.replacementId))
  yield* resolveWithout(engine, review, undoing, isErased)
  // The answer was final, so both people may have seen the panel's answer.
  for (const reviewer of new Set([review.by ?? undoing.by, undoing.by])) {
    yield* addViewer(engine, { runId, questionId, reviewer })
  }
  yield* insertMessages(engine, undoing.retraction)
  yield* appendEntry(engine, isErased ? erasedEntry(undoing.retracted) : undoing.retracted)
  return { kind: 'retracted', review: { ...review, status: 'retracted' } }
}

/** A new item about the same decision, without any trace of what a reviewer did with this one. */
function waitingAgain(review: StoredReview, id: string): Review {
  const { root, part, list, runId, questionId, source, reason, createdAt, distance } = review
  const free = { status: 'waiting' as const, claimedBy: null, claimedUntil: null, outcome: null }
  return { id, root, part, list, runId, questionId, source, reason, createdAt, distance, ...free }
}
