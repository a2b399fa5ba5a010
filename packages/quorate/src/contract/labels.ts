import type { z } from 'zod'
import { labelSchema } from '../record/label.ts'
import { pageQuerySchema } from './page.ts'

export const labelViewSchema = labelSchema.pick({
  id: true,
  questionId: true,
  gold: true,
  source: true,
  by: true,
  at: true,
})
export type LabelView = z.infer<typeof labelViewSchema>

/** GET /v1/labels?source=. */
export const labelQuerySchema = pageQuerySchema.extend({ source: labelSchema.shape.source.optional() })
export type LabelQuery = z.infer<typeof labelQuerySchema>
