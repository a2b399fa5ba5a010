import { z } from 'zod'
import { decisionSchema, stepSchema } from '../../record/decision.ts'
import { findStored } from '../../record/parse-stored.ts'
import type { QuestionKey } from '../../record/question.ts'
import { perEngine } from '../per-engine.ts'
import { preparedQuery, preparedRows } from '../prepared-query.ts'
import { flagValue, integer, jsonText } from '../row-schemas.ts'
import { NOT_COUNTED } from '../runs/arrivals.ts'
import { flag, type Tables } from '../schema.ts'
import type { StoredDebate, StoredDecision } from '../store.ts'

export const decisionRow = decisionSchema
  .pick({
    id: true,
    runId: true,
    questionId: true,
    certificateId: true,
    kind: true,
    reason: true,
    answer: true,
    round: true,
    at: true,
  })
  .extend({ decision: jsonText, isShadow: flagValue })
  .describe('decision')

export const countSchema = decisionRow.pick({ kind: true, reason: true }).extend({ count: integer }).describe('count')

export const certifiedSchema = z
  .object({
    runId: z.string(),
    questionId: z.string(),
    round: integer,
    decisionId: z.string(),
    digests: jsonText.nullable(),
    result: jsonText,
    at: integer,
  })
  .describe('certified round')

export function rowOfDecision(decision: StoredDecision): Tables['decisions'] {
  return { ...decision, isShadow: flag(decision.isShadow), debateKind: debateKindOf(decision) }
}

const pathSchema = z.looseObject({ path: z.array(stepSchema.pick({ kind: true })) })

function debateKindOf({ kind, decision }: StoredDecision): number | null {
  if (kind !== 'act') return null
  return findStored(pathSchema, decision)?.path.at(-1)?.kind ?? null
}

const DECISION_COLUMNS = [...decisionRow.keyof().options, 'debateKind'] as const

/** The statements that every decision runs. */
export const prepared = perEngine((queries) => ({
  settle: preparedQuery(
    ['runId', 'questionId', 'status'],
    ({ runId, questionId, status }: Pick<StoredDebate, 'runId' | 'questionId' | 'status'>) =>
      queries
        .updateTable('runQuestions')
        .set({ status })
        .where('runId', '=', runId)
        .where('questionId', '=', questionId)
        .where('status', '!=', 'done'),
  ),
  // A question that was deferred because the policy was suspended no longer counts for the monitor.
  uncount: preparedQuery(['runId', 'questionId'], ({ runId, questionId }: QuestionKey) =>
    queries
      .updateTable('runQuestions')
      .set({ rateMark: NOT_COUNTED })
      .where('runId', '=', runId)
      .where('questionId', '=', questionId)
      .where('arrival', 'is not', null),
  ),
  decision: preparedQuery(DECISION_COLUMNS, (row: Tables['decisions']) =>
    queries
      .insertInto('decisions')
      .values(row)
      .onConflict((conflict) => conflict.columns(['runId', 'questionId']).doUpdateSet(row)),
  ),
  certified: preparedQuery(certifiedSchema.keyof().options, (row: Tables['certified']) =>
    queries.insertInto('certified').values(row),
  ),
  decisions: preparedRows(DECISION_COLUMNS, (rows: readonly Tables['decisions'][]) =>
    queries.insertInto('decisions').values(rows),
  ),
  certifiedRows: preparedRows(certifiedSchema.keyof().options, (rows: readonly Tables['certified'][]) =>
    queries.insertInto('certified').values(rows),
  ),
  certifiedRounds: preparedQuery(['runId', 'questionId'], ({ runId, questionId }: QuestionKey) =>
    queries
      .selectFrom('certified')
      .selectAll()
      .where('runId', '=', runId)
      .where('questionId', '=', questionId)
      .orderBy('round'),
  ),
}))
