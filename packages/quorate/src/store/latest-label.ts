import { sql } from 'kysely'
import type { z } from 'zod'
import { labelSchema } from '../record/label.ts'
import { integer } from './row-schemas.ts'
import type { SpotCheck } from './store.ts'

/**
 * To join `labels as label` to `runQuestions as question`: the latest label of the question in this run, or in none
 * (imported), that was not retracted.
 */
export const latestLabel = () => sql<boolean>`label.sequence = (
  select max(sequence) from labels where labels.question_id = question.question_id and labels.retracted_at is null
  and (labels.run_id = question.run_id or labels.run_id is null)
)`

/** Selected as gold, verdict, source and, as the joined tables have times too, labelledAt. */
export const labelColumns = {
  gold: labelSchema.shape.gold,
  verdict: labelSchema.shape.verdict.nullable(),
  source: labelSchema.shape.source.nullable(),
  labelledAt: integer.nullable(),
}

type LabelColumns = z.infer<z.ZodObject<typeof labelColumns>>

export function labelOfRow({ gold, verdict, source, labelledAt }: LabelColumns): SpotCheck['label'] {
  if (verdict === null || source === null || labelledAt === null) return null
  return { gold, verdict, source, at: labelledAt }
}
