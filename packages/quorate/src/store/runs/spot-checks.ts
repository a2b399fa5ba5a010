import { z } from 'zod'
import { questionStatusSchema } from '../../record/run.ts'
import { checkedLimit } from '../checked-input.ts'
import type { Engine } from '../engine.ts'
import { rowsOf, type Steps } from '../operation.ts'
import { perEngine } from '../per-engine.ts'
import { preparedQuery } from '../prepared-query.ts'
import { integer, joinedDecision } from '../row-schemas.ts'
import type { RateChange, SpotCheck } from '../store.ts'
import { NOT_COUNTED } from './arrivals.ts'
import { finalLabel, labelColumns, labelOfRow } from './latest-label.ts'
import { rateText } from './run-rows.ts'

const spotCheckSchema = z
  .object({
    arrival: integer,
    arrivedAt: integer,
    status: questionStatusSchema,
    debatedAt: integer.nullable(),
    runId: z.string(),
    questionId: z.string(),
    ...joinedDecision,
    at: integer.nullable(),
    debateKind: integer.nullable(),
    groupName: z.string().nullable(),
    ...labelColumns,
  })
  .transform((row): SpotCheck => {
    const { arrival, arrivedAt, status, debatedAt, runId, questionId } = row
    const { decisionId: id, certificateId, kind, reason, answer, round, at, debateKind, groupName: group } = row
    const isDecided = id !== null && certificateId !== null && kind !== null && round !== null && at !== null
    const decision = isDecided ? { id, certificateId, kind, reason, answer, round, at, debateKind, group } : null
    const about = { arrival, arrivedAt, runId, questionId, status, debatedAt }
    return { ...about, decision, label: labelOfRow(row) }
  })
  .describe('spot check')

/** A type, because an interface is not assignable to the values of a prepared query. */
type SpotCheckPage = {
  readonly certificateId: string
  readonly after: number
  readonly limit: number
}

export function* readSpotChecks(
  engine: Engine,
  { certificateId, after, limit }: SpotCheckPage,
): Steps<readonly SpotCheck[]> {
  return yield* rowsOf(spotChecksOf(engine)({ certificateId, after, limit: checkedLimit(limit) }), spotCheckSchema)
}

/** Prepared, because the monitor runs it repeatedly. */
const spotChecksOf = perEngine((queries) =>
  preparedQuery(['certificateId', 'after', 'limit'], ({ certificateId, after, limit }: SpotCheckPage) =>
    queries
      .selectFrom('runQuestions as question')
      .leftJoin('decisions as decision', (join) =>
        join.onRef('decision.runId', '=', 'question.runId').onRef('decision.questionId', '=', 'question.questionId'),
      )
      .leftJoin('debates as debate', (join) =>
        join.onRef('debate.runId', '=', 'question.runId').onRef('debate.questionId', '=', 'question.questionId'),
      )
      .leftJoin('labels as label', (join) => join.on(finalLabel))
      .select(['question.arrival', 'question.arrivedAt', 'question.runId', 'question.questionId'])
      .select(['question.status', 'debate.at as debatedAt', 'decision.id as decisionId', 'decision.certificateId'])
      .select(['decision.kind', 'decision.reason', 'decision.answer', 'decision.round', 'decision.at'])
      .select(['decision.debateKind', 'debate.groupName'])
      .select(['gold', 'verdict', 'source', 'label.at as labelledAt'])
      .where('question.certificateId', '=', certificateId)
      .where('question.isSpotCheck', '=', 1)
      .where('question.arrival', '>', after)
      .orderBy('question.arrival')
      .limit(limit),
  ),
)

const markSchema = z
  .object({ arrival: integer, spotCheckRate: rateText, rateMark: integer.nullable() })
  .describe('rate of spot checks')

/** Reads only marked arrivals, because there may be millions between them. */
export function* readRates(
  { queries }: Engine,
  { certificateId, after }: { readonly certificateId: string; readonly after: number },
): Steps<readonly RateChange[]> {
  const arrived = queries
    .selectFrom('runQuestions')
    .select(['arrival', 'spotCheckRate', 'rateMark'])
    .where('certificateId', '=', certificateId)
  const first = yield* rowsOf(arrived.where('arrival', '=', after + 1), markSchema)
  const marked = arrived.where('rateMark', 'is not', null).where('arrival', '>', after + 1)
  const changes: RateChange[] = []
  for (const { arrival, spotCheckRate, rateMark } of [
    ...first,
    ...(yield* rowsOf(marked.orderBy('arrival'), markSchema)),
  ]) {
    if (changes.at(-1)?.from === arrival) changes.pop()
    if (rateMark === NOT_COUNTED)
      changes.push({ from: arrival, spotCheckRate: 0 }, { from: arrival + 1, spotCheckRate })
    else changes.push({ from: arrival, spotCheckRate })
  }
  return changes.filter((change, at) => change.spotCheckRate !== changes[at - 1]?.spotCheckRate)
}
