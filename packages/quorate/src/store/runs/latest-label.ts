import { sql } from 'kysely'
import type { z } from 'zod'
import { labelSchema } from '../../record/label.ts'
import { integer } from '../row-schemas.ts'
import type { SpotCheck } from '../store.ts'

/**
 * To join `labels as label` to `runQuestions as question`: the latest label of the question in this run, or in none
 * (imported), that was not retracted.
 */
export const latestLabel = () => sql<boolean>`label.sequence = (
  select max(sequence) from labels where labels.question_id = question.question_id and labels.retracted_at is null
  and (labels.run_id = question.run_id or labels.run_id is null)
)`

/**
 * The same once it is final: a label of reviews waits for the further readings that were asked for. Of two that disagree it says
 * "cannot tell", and an alarm that counted this as wrong is not taken back when a third person says that it was right. The
 * status is an expression, which no index of it serves: the reviews of a question are few, those that wait may be many.
 */
export const finalLabel = () => sql<boolean>`${latestLabel()} and (label.run_id is null or not exists (
  select 1 from reviews where reviews.run_id = question.run_id and reviews.question_id = question.question_id
  and reviews.status || '' = 'waiting' and reviews.part > 1
))`

/** Selected as gold, verdict, source and, as the joined tables have times too, labelledAt. */
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
