import { z } from 'zod'
import { decisionSchema } from '../record/decision.ts'
import { jsonOf } from '../record/parse-stored.ts'

export const integer = z.int()
export const flagValue = z.literal([0, 1]).transform((value) => value === 1)
export const jsonText = z.string().refine((text) => jsonOf(text) !== undefined, 'expected JSON')
/** Text stored as JSON, which escapes the characters that an engine could not return unchanged. */
export const jsonString = jsonText.transform((text) => z.string().parse(jsonOf(text)))

/** Columns of an outer-joined decision. Without a decision all of them are null. */
export const joinedDecision = {
  decisionId: z.string().nullable(),
  certificateId: z.string().nullable(),
  kind: decisionSchema.shape.kind.nullable(),
  reason: decisionSchema.shape.reason,
  answer: decisionSchema.shape.answer,
  round: integer.nullable(),
}

/** Rows of one INSERT. PostgreSQL allows 65,535 parameters, SQLite 32,766. */
export const ROWS_AT_ONCE = 200
