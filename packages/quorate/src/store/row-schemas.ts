import { z } from 'zod'
import { decisionSchema } from '../record/decision.ts'
import { jsonOf } from '../record/parse-stored.ts'

/** Pieces of the row schemas. */
export const integer = z.int()
export const flagValue = z.literal([0, 1]).transform((value) => value === 1)
export const jsonText = z.string().refine((text) => jsonOf(text) !== undefined, 'expected JSON')
/** Text kept as JSON, which escapes what an engine could not give back unchanged. */
export const jsonString = jsonText.transform((text) => z.string().parse(jsonOf(text)))

/** Of a decision that may not be there: all are null, or none of those that must not be. */
export const joinedDecision = {
  decisionId: z.string().nullable(),
  certificateId: z.string().nullable(),
  kind: decisionSchema.shape.kind.nullable(),
  reason: decisionSchema.shape.reason,
  answer: decisionSchema.shape.answer,
  round: integer.nullable(),
}

/** Rows of one INSERT; PostgreSQL takes 65,535 parameters, SQLite 32,766. */
export const ROWS_AT_ONCE = 200
