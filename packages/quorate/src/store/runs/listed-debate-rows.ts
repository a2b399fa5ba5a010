import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { debateStatusSchema } from '../../record/debate.ts'
import { checkedLimit } from '../checked-input.ts'
import type { Engine } from '../engine.ts'
import { rowsOf, type Steps } from '../operation.ts'
import { isHiddenAt } from '../reviews/hidden-questions.ts'
import { flagValue, integer, joinedDecision, jsonText } from '../row-schemas.ts'
import { flag } from '../schema.ts'
import type { Millis } from '../store.ts'
import { labelColumns, labelOfRow, latestLabel } from './latest-label.ts'
import type { DebateFilter, Hides, LatestPage, ListedDebate } from './listed-debates.ts'

/** Reads the index of times, or that of a reason, a group or a failure, backwards. Other filters are checked row by row. */
export function readLatest(
  engine: Engine,
  { after, limit, filter = {}, now, hides }: LatestPage,
): Steps<readonly ListedDebate[]> {
  let query = filtered(engine, filter).select(hiddenAt(now, hides).as('isHidden'))
  if (filter.words !== undefined && filter.words !== '')
    query = query.where(containsWords(engine, filter.words, now, hides))
  if (filter.isShown === true) query = query.where(hiddenAt(now, hides), '=', 0)
  if (after !== null) {
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple('debate.at', 'debate.runId', 'debate.questionId'),
        '<',
        tuple(after.at, after.runId, after.questionId),
      ),
    )
  }
  const ordered = query
    .orderBy('debate.at', 'desc')
    .orderBy('debate.runId', 'desc')
    .orderBy('debate.questionId', 'desc')
  return rowsOf(ordered.limit(checkedLimit(limit)), listedSchema)
}

/** Searches for the words as JSON writes them, because questions and debates are stored as JSON. */
function containsWords({ name }: Engine, words: string, now: Millis, hides?: Hides) {
  const written = JSON.stringify(words).slice(1, -1)
  const pattern = `%${written.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`
  const isPostgres = name === 'postgres'
  const like = (value: RawBuilder<unknown>) =>
    isPostgres ? sql<boolean>`${value} ilike ${pattern}` : sql<boolean>`${value} like ${pattern} escape '\\'`
  const question = sql.ref('question.question')
  const place = isPostgres ? sql`strpos(${question}, ${OPTIONS})` : sql`instr(${question}, ${OPTIONS})`
  // A search must not find the arguments of a hidden debate, nor the right answer to its question.
  return sql<boolean>`(${like(sql`substr(${question}, 1, ${place})`)} or ${like(sql.ref('debate.questionId'))}
    or ((${like(question)} or ${like(sql.ref('debate.debate'))}) and ${hiddenAt(now, hides)} = 0))`
}

/**
 * Marks the end of a question's text in its JSON. After it come the options, the right answer, the columns and who asked. Every
 * quotation mark within the text is escaped, so the first occurrence is the end.
 */
const OPTIONS = sql.lit('","options":[')

/** As a number, because the engines return booleans differently. */
function hiddenAt(now: Millis, hides?: Hides) {
  return sql<number>`case when ${isHiddenAt(now, hides)} then 1 else 0 end`
}

function filtered(engine: Engine, filter: DebateFilter) {
  const { runId, isDecided, kind, reason, group, status, isSpotCheck, prefix, outcome } = filter
  let query = joined(engine)
  if (isDecided !== undefined) query = query.where(isOfDecidingRun, '=', flag(isDecided))
  if (outcome === 'unlabelled') query = query.where('label.verdict', 'is', null)
  // As in the monitor, the verdict "cannot tell" counts as wrong.
  const isWrong = sql<boolean>`decision.kind = 'act' and label.verdict is not null
    and (label.gold is null or label.gold <> decision.answer)`
  if (outcome === 'wrong') query = query.where(isWrong)
  if (outcome === 'right') query = query.where(sql<boolean>`decision.kind = 'act' and label.gold = decision.answer`)
  if (kind !== undefined) query = query.where('debate.kind', '=', kind)
  if (reason !== undefined) query = query.where('debate.reason', '=', reason)
  if (group !== undefined) query = query.where('debate.groupName', '=', group)
  if (status !== undefined) query = query.where('debate.status', '=', status)
  // Matches the condition of the partial index.
  if (status !== undefined && status !== 'done') query = query.where(sql<boolean>`debate.status <> 'done'`)
  // Expressions keep the engine from using other indexes, whose order would require sorting all rows.
  if (isSpotCheck !== undefined) query = query.where(sql`+${sql.ref('question.isSpotCheck')}`, '=', flag(isSpotCheck))
  if (runId !== undefined) query = query.where(sql<string>`${sql.ref('debate.runId')} || ''`, '=', runId)
  if (prefix === undefined || prefix === '') return query
  const id = sql<string>`${sql.ref('debate.questionId')} || ''`
  // Text is ordered by code point, and this is the last one.
  return query.where(id, '>=', prefix).where(id, '<', `${prefix}\u{10FFFF}`)
}

/** Depends on the run alone, so it reveals nothing about a hidden debate. */
const isOfDecidingRun = sql<number>`(select case when runs.kind = 'decide' then 1 else 0 end from runs
  where runs.id = debate.run_id)`

function joined({ queries }: Engine) {
  return queries
    .selectFrom('debates as debate')
    .innerJoin('runQuestions as question', (join) =>
      join.onRef('question.runId', '=', 'debate.runId').onRef('question.questionId', '=', 'debate.questionId'),
    )
    .leftJoin('decisions as decision', (join) =>
      join.onRef('decision.runId', '=', 'debate.runId').onRef('decision.questionId', '=', 'debate.questionId'),
    )
    .leftJoin('labels as label', (join) => join.on(latestLabel))
    .select(['debate.runId', 'debate.questionId', 'rounds', 'debate.status', 'debate.at', 'groupName'])
    .select(['question.question', 'question.isSpotCheck', 'debate.debate'])
    .select(['decision.id as decisionId', 'decision.kind', 'decision.reason', 'decision.at as decidedAt'])
    .select(['decision.certificateId', 'answer', 'round', 'decision.decision', 'isShadow'])
    .select(['gold', 'verdict', 'source', 'label.at as labelledAt'])
    .select(isWaiting)
}

const isWaiting = sql<number>`(case when exists (select 1 from reviews where reviews.run_id = debate.run_id
  and reviews.question_id = debate.question_id and reviews.status || '' = 'waiting') then 1 else 0 end)`.as('isWaiting')

const decisionColumns = {
  ...joinedDecision,
  decision: jsonText.nullable(),
  isShadow: flagValue.nullable(),
  decidedAt: integer.nullable(),
}

const listedSchema = z
  .object({
    runId: z.string(),
    questionId: z.string(),
    rounds: integer,
    status: debateStatusSchema,
    at: integer,
    groupName: z.string().nullable(),
    question: jsonText.nullable(),
    debate: jsonText,
    isSpotCheck: flagValue,
    ...decisionColumns,
    isHidden: flagValue,
    isWaiting: flagValue,
    ...labelColumns,
  })
  .transform((row): ListedDebate => {
    const { runId, questionId, rounds, status, at, groupName: group, question, isSpotCheck } = row
    const { debate } = row
    const about = {
      runId,
      questionId,
      rounds,
      status,
      at,
      group,
      question,
      debate,
      isSpotCheck,
      isHidden: row.isHidden,
      isWaiting: row.isWaiting,
    }
    return { ...about, decision: decisionOf(row), label: labelOfRow(row) }
  })
  .describe('listed debate')

/** Null: the debate has no decision, so all of its columns are null. */
function decisionOf(row: z.output<z.ZodObject<typeof decisionColumns>>): ListedDebate['decision'] {
  const { decisionId: id, certificateId, kind, reason, answer, round, decision, isShadow, decidedAt: at } = row
  if (id === null || certificateId === null || kind === null || round === null) return null
  if (decision === null || isShadow === null || at === null) return null
  return { id, certificateId, kind, reason, answer, round, decision, isShadow, at }
}
