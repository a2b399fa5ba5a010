import { z } from 'zod'

/** A share with its 95 % interval. Where nothing was counted there is no share: the field holds null instead. */
export const shareSchema = z.object({
  count: z.int(),
  of: z.int(),
  share: z.number(),
  lower: z.number(),
  upper: z.number(),
})
export type Share = z.infer<typeof shareSchema>

export const budgetSchema = z.object({
  beta: z.number(),
  alpha: z.number(),
  delta: z.number(),
  epsilon: z.number(),
  threshold: z.number(),
})
export type BudgetFigures = z.infer<typeof budgetSchema>
