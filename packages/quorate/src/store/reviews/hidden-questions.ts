import { sql } from 'kysely'
import { z } from 'zod'
import type { QuestionKey } from '../../record/question.ts'
import { checkedLimit } from '../checked-input.ts'
import type { DecisionCount, HiddenFigures } from '../decisions/monitor-records.ts'
import type { Engine } from '../engine.ts'
import { rowsOf, type Steps } from '../operation.ts'
import { perEngine } from '../per-engine.ts'
import { preparedQuery } from '../prepared-query.ts'
import { integer, jsonText, ROWS_AT_ONCE } from '../row-schemas.ts'
import type { Hides } from '../runs/listed-debates.ts'
import type { Millis } from '../store.ts'
import type { HiddenAmong, HidingItem, HidingPage } from './reviews.ts'

/**
 * Whether a row of `run_questions as question` is hidden: the queue has an item about it that is blind or may become blind, and
 * no final answer to it. A question in debate is hidden from its first round on, because it may become an item. The source of
 * an item must not matter, or being hidden would reveal it.
 */
export function isHiddenAt(now: Millis, hides: Hides = 'what-may-be-blind') {
  const isHiding = hides === 'what-is-blind' ? isBlindAndHidingAt(now) : isHidingAt(now)
  return sql<boolean>`(${isInDebate} or exists (
    select 1 from reviews where reviews.run_id = question.run_id and reviews.question_id = question.question_id
      and ${isHiding}
  ))`
}

const isInDebate = sql<boolean>`(question.status = 'pending' and exists (
  select 1 from runs where runs.id = question.run_id and runs.kind = 'decide'
))`

function isBlindAndHidingAt(now: Millis) {
  return sql<boolean>`((reviews.is_blind = 1 or reviews.list = 'blind') and ${isHidingAt(now)})`
}

/** Whether a row of `reviews` hides its question. `is_blind` is null until the item is first claimed. */
function isHidingAt(now: Millis) {
  return sql<boolean>`(
    (reviews.status = 'waiting' and (reviews.is_blind is null or reviews.is_blind = 1))
    or (reviews.status = 'submitted' and reviews.is_blind = 1 and reviews.undo_until > ${now})
  )`
}

const openSchema = z
  .object({ id: z.string(), questionId: z.string(), question: jsonText.nullable() })
  .describe('question of an open item')

/** The items that hide their questions, with the questions, by item id. */
export function readHiding(
  { queries }: Engine,
  { runId, status, after, limit, now }: HidingPage,
): Steps<readonly HidingItem[]> {
  const query = queries
    .selectFrom('reviews')
    .innerJoin('runQuestions as question', (join) =>
      join.onRef('question.runId', '=', 'reviews.runId').onRef('question.questionId', '=', 'reviews.questionId'),
    )
    .select(['reviews.id', 'question.questionId', 'question.question'])
    .where('reviews.status', '=', status)
    .where(isHidingAt(now))
    .orderBy('reviews.id')
    .limit(checkedLimit(limit))
  const ofRun = runId === undefined ? query : query.where('reviews.runId', '=', runId)
  return rowsOf(after === null ? ofRun : ofRun.where('reviews.id', '>', after), openSchema)
}

const idSchema = z.object({ questionId: z.string() }).describe('hidden question')

export function* hiddenAmong(engine: Engine, { questionIds, runId, now }: HiddenAmong): Steps<ReadonlySet<string>> {
  const { queries } = engine
  const asked = [...new Set(questionIds)]
  const [questionId] = asked
  if (asked.length === 1 && questionId !== undefined && runId !== undefined) {
    const found = yield* rowsOf(hiddenOne(engine)({ runId, questionId, now }), idSchema)
    return new Set(found.map((row) => row.questionId))
  }
  const hidden = new Set<string>()
  for (let start = 0; start < asked.length; start += ROWS_AT_ONCE) {
    const query = queries
      .selectFrom('runQuestions as question')
      .select('question.questionId')
      .where('question.questionId', 'in', asked.slice(start, start + ROWS_AT_ONCE))
      .where(isHiddenAt(now))
    const found = yield* rowsOf(runId === undefined ? query : query.where('question.runId', '=', runId), idSchema)
    for (const { questionId } of found) hidden.add(questionId)
  }
  return hidden
}

/** Runs for every item that is claimed or submitted. */
const hiddenOne = perEngine((queries) =>
  preparedQuery(['runId', 'questionId', 'now'], ({ runId, questionId, now }: QuestionKey & { readonly now: Millis }) =>
    queries
      .selectFrom('runQuestions as question')
      .select('question.questionId')
      .where('question.runId', '=', runId)
      .where('question.questionId', '=', questionId)
      .where(isHiddenAt(now)),
  ),
)

const countSchema = z
  .object({ kind: z.enum(['act', 'defer']), reason: z.string().nullable(), decided: integer, rounds: integer })
  .describe('count of hidden decisions')

const hiddenSpotCheckSchema = z.object({ arrival: integer }).describe('hidden spot check')
const firstSchema = z.object({ first: integer.nullable() }).describe('oldest hidden question')

/** Figures over what `isHiddenAt` hides. The query starts from the items, because there are many more questions. */
export function* readHiddenFigures(
  engine: Engine,
  of: { readonly certificateId: string; readonly now: Millis },
): Steps<HiddenFigures> {
  const { queries } = engine
  const hidden = queries
    .selectFrom(hiddenItems(of.now).as('item'))
    .innerJoin('runQuestions as question', (join) =>
      join.onRef('question.runId', '=', 'item.runId').onRef('question.questionId', '=', 'item.questionId'),
    )
  const counts: readonly DecisionCount[] = yield* rowsOf(
    hidden
      .innerJoin('decisions as decision', (join) =>
        join.onRef('decision.runId', '=', 'item.runId').onRef('decision.questionId', '=', 'item.questionId'),
      )
      .innerJoin('debates as debate', (join) =>
        join.onRef('debate.runId', '=', 'item.runId').onRef('debate.questionId', '=', 'item.questionId'),
      )
      .select(({ fn }) => ['decision.kind', 'decision.reason', fn.countAll().as('decided')])
      .select(({ fn }) => fn.sum('debate.rounds').as('rounds'))
      .where('decision.certificateId', '=', of.certificateId)
      .where('decision.isShadow', '=', 0)
      .groupBy(['decision.kind', 'decision.reason']),
    countSchema,
  )
  const counted = hidden.where('question.certificateId', '=', of.certificateId).where('arrival', 'is not', null)
  const sampled = yield* rowsOf(
    counted.select('question.arrival').where('question.isSpotCheck', '=', 1),
    hiddenSpotCheckSchema,
  )
  const pending = queries
    .selectFrom('runs')
    .innerJoin('runQuestions as question', 'question.runId', 'runs.id')
    .where('runs.kind', '=', 'decide')
    .where('runs.certificateId', '=', of.certificateId)
    .where('question.status', '=', 'pending')
    .where('question.arrival', 'is not', null)
  const first = [
    ...(yield* rowsOf(
      counted.select(({ fn }) => fn.min('question.arrival').as('first')),
      firstSchema,
    )),
    ...(yield* rowsOf(
      pending.select(({ fn }) => fn.min('question.arrival').as('first')),
      firstSchema,
    )),
  ].flatMap(({ first: arrival }) => arrival ?? [])
  const firstArrival = first.length === 0 ? null : Math.min(...first)
  return { counts, firstArrival, sampled: sampled.map(({ arrival }) => arrival) }
}

type Hidden = { readonly runId: string; readonly questionId: string }

function hiddenItems(now: Millis) {
  return sql<Hidden>`(${selectHidden(now)})`
}

/** The literals match the partial index of blind submissions. UNION lists a question with several items once. */
function selectHidden(now: Millis) {
  return sql`
    select run_id, question_id from reviews where status = 'waiting' and (is_blind is null or is_blind = 1)
    union
    select run_id, question_id from reviews where status = 'submitted' and is_blind = 1 and undo_until > ${now}`
}

/** The questions of these runs that `isHiddenAt` hides, and those of other runs that an item hides. */
export function hiddenQuestions(runIds: readonly string[], now: Millis) {
  return sql<Hidden>`(${selectHidden(now)}
    union
    select question.run_id, question.question_id from runs, run_questions question
    where runs.id in (${sql.join(runIds)}) and runs.kind = 'decide' and question.run_id = runs.id and question.status = 'pending'
  )`
}
