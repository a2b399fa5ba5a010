import { sql } from 'kysely'
import { z } from 'zod'
import { checkedLimit } from '../checked-input.ts'
import type { Engine } from '../engine.ts'
import { rowOf, rowsOf, type Steps } from '../operation.ts'
import { perEngine } from '../per-engine.ts'
import { preparedQuery } from '../prepared-query.ts'
import { integer } from '../row-schemas.ts'
import type { Millis } from '../store.ts'
import { hiddenAmong, readHiding } from './hidden-questions.ts'
import { assign, releaseItems, request } from './review-assignments.ts'
import { claim, claimNext, claimsOf, release, releaseClaims } from './review-claims.ts'
import { findReview, OWN_LIST, reviewRow } from './review-row.ts'
import { submit, undo } from './review-submissions.ts'
import { addViewer } from './review-viewers.ts'
import type { QueueCounts, ReviewStore } from './reviews.ts'

export function createReviewStore(engine: Engine): ReviewStore {
  const reviews = engine.queries.selectFrom('reviews').selectAll()
  return {
    find: (id) => engine.read(() => findReview(engine, id)),
    latestOf: (runId, questionId) => {
      const ofQuestion = reviews.where('runId', '=', runId).where('questionId', '=', questionId)
      return engine.read(() => rowOf(ofQuestion.orderBy('sequence', 'desc').limit(1), reviewRow))
    },
    hidden: (among) => engine.read(() => hiddenAmong(engine, among)),
    hiding: (page) => engine.read(() => readHiding(engine, page)),
    sawPanel: (viewer) => engine.write(() => addViewer(engine, viewer)),
    list: async ({ after, limit, status, assignedTo }) => {
      const later = after === null ? reviews : reviews.where('id', '>', after)
      const wanted = assignedTo === undefined ? status : (status ?? 'waiting')
      const filtered = wanted === undefined ? later : later.where('status', '=', wanted)
      const isAnybody = assignedTo === undefined
      const ofPerson = isAnybody ? filtered : filtered.where('assignedTo', assignedTo === null ? 'is' : '=', assignedTo)
      return engine.read(() => rowsOf(ofPerson.orderBy('id').limit(checkedLimit(limit)), reviewRow))
    },
    update: async (id, expected, next) => {
      const { status, claimedUntil } = { ...expected, ...next }
      const isFree = status === 'waiting' && claimedUntil === null
      const query = engine.queries
        .updateTable('reviews')
        .set({ ...next, queue: isFree ? OWN_LIST : null })
        .where('id', '=', id)
        .where('status', '=', expected.status)
        .where('claimedBy', expected.claimedBy === null ? 'is' : '=', expected.claimedBy)
        .where('claimedUntil', expected.claimedUntil === null ? 'is' : '=', expected.claimedUntil)
      return (await engine.writeOne(query)) > 0
    },
    claimNext: (next) => engine.write(() => claimNext(engine, next)),
    claim: (id, by) => engine.write(() => claim(engine, id, by)),
    release: (id, claimant) => engine.write(() => release(engine, id, claimant)),
    releaseClaims: (of) => engine.write(() => releaseClaims(engine, of)),
    assign: (assignment) => engine.write(() => assign(engine, assignment)),
    releaseItems: (release) => engine.write(() => releaseItems(engine, release)),
    request: (requests) => engine.write(() => request(engine, requests)),
    claimsOf: (claimant) => engine.read(() => claimsOf(engine, claimant)),
    submit: (submission) => engine.write(() => submit(engine, submission)),
    undo: (undoing) => engine.write(() => undo(engine, undoing)),
    jointAnswers: (now) => {
      const settled = reviews.where('status', '=', 'submitted').where('undoUntil', '<=', now)
      const several = settled.where('root', 'in', ({ selectFrom }) =>
        selectFrom('reviews as later')
          .select('later.root')
          .where('later.part', '>', 1)
          .where('later.status', '=', 'submitted'),
      )
      return engine.read(() => rowsOf(several.orderBy('root').orderBy('part').orderBy('sequence'), reviewRow))
    },
    answered: (of) => engine.read(() => answered(engine, of)),
    counts: (of) => engine.read(() => counts(engine, of)),
  }
}

const countSchema = z.object({ count: integer }).describe('count of reviews')
const oldestSchema = z.object({ oldestAt: integer.nullable() }).describe('oldest review')

function* counts(engine: Engine, of: { readonly reviewer: string; readonly since: Millis }): Steps<QueueCounts> {
  const { queries } = engine
  const mine = yield* answered(engine, of)
  const counted = queries.selectFrom('reviews').select(({ fn }) => fn.countAll().as('count'))
  const waiting = yield* rowOf(counted.where('status', '=', 'waiting'), countSchema)
  const submitted = counted.where('status', '=', 'submitted')
  const all = yield* rowOf(submitted, countSchema)
  const oldest = queries.selectFrom('reviews').select(({ fn }) => fn.min('createdAt').as('oldestAt'))
  const { oldestAt } = (yield* rowOf(oldest.where('status', '=', 'waiting'), oldestSchema)) ?? { oldestAt: null }
  return { waiting: waiting?.count ?? 0, submitted: all?.count ?? 0, mine, oldestAt }
}

type Answered = { readonly reviewer: string; readonly since: Millis }

function* answered(engine: Engine, { reviewer, since }: Answered): Steps<number> {
  return (yield* rowOf(answeredBy(engine)({ reviewer, since }), countSchema))?.count ?? 0
}

/** Runs for every item that is claimed or submitted. */
const answeredBy = perEngine((queries) =>
  preparedQuery(['reviewer', 'since'], ({ reviewer, since }: Answered) =>
    queries
      .selectFrom('reviews')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('status', '=', sql.lit('submitted' as const))
      .where('by', '=', reviewer)
      .where('submittedAt', '>=', since),
  ),
)
