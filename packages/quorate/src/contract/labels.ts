import { z } from 'zod'
import { pageQuerySchema } from './page.ts'

export const labelSchema = z.object({
  id: z.string(),
  questionId: z.string(),
  gold: z.string().nullable(),
  source: z.enum(['import', 'deferral', 'spot-check']),
  by: z.string().nullable(),
  at: z.number(),
})
export type LabelView = z.infer<typeof labelSchema>

/** GET /v1/labels?source=. */
export const labelQuerySchema = pageQuerySchema.extend({ source: labelSchema.shape.source.optional() })
export type LabelQuery = z.infer<typeof labelQuerySchema>
