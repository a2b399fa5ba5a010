import { sql } from 'kysely'
import type { z } from 'zod'
import { labelSchema } from '../../record/label.ts'
import { integer } from '../row-schemas.ts'
import type { SpotCheck } from '../store.ts'

/**
 * A condition that joins `labels as label` to `runQuestions as question`: the latest label of the question that was not
 * retracted and belongs to this run or to none (imported).
 */
export const latestLabel = () => sql<boolean>`label.sequence = (
  select max(sequence) from labels where labels.question_id = question.question_id and labels.retracted_at is null
  and (labels.run_id = question.run_id or labels.run_id is null)
)`

/**
 * The same for final labels only: a label from reviews is not final while a further reading is pending. After two answers that
 * disagree the label is "cannot tell", which counts as wrong, and an alarm over it could not be revoked if a third person finds
 * the answer right. The status is written as an expression to keep the engine from its index: a question has few reviews, but
 * many may be waiting.
 */
export const finalLabel = () => sql<boolean>`${latestLabel()} and (label.run_id is null or not exists (
  select 1 from reviews where reviews.run_id = question.run_id and reviews.question_id = question.question_id
  and reviews.status || '' = 'waiting' and reviews.part > 1
))`

/** Columns of an outer-joined label. Its time is selected as `labelledAt`, because the joined tables have times too. */
export const labelColumns = {
  gold: labelSchema.shape.gold,
  verdict: labelSchema.shape.verdict.nullable(),
  source: labelSchema.shape.source.nullable(),
  labelledAt: integer.nullable(),
}

export function labelOfRow({
  gold,
  verdict,
  source,
  labelledAt,
}: z.infer<z.ZodObject<typeof labelColumns>>): SpotCheck['label'] {
  if (verdict === null || source === null || labelledAt === null) return null
  return { gold, verdict, source, at: labelledAt }
}
