import { z } from 'zod'

/** A share with its 95 % interval. If nothing was counted there is no share, and the field is null. */
export const countedShareSchema = z.object({
  count: z.int(),
  of: z.int(),
  share: z.number(),
  lower: z.number(),
  upper: z.number(),
})
export type CountedShare = z.infer<typeof countedShareSchema>

/** How turns were read. */
export const turnCountsSchema = z.object({
  /** Turns with an answer, or with the beliefs that the certificate reads. */
  answered: z.int(),
  /** Answered turns that lack what the certificate reads, such as a stated confidence. They count as abstentions. */
  missing: z.int(),
  /** Turns with beliefs that summed to 0.99-1.01 and were scaled to 1. */
  renormalised: z.int(),
})

export const budgetSchema = z.object({
  beta: z.number(),
  alpha: z.number(),
  delta: z.number(),
  epsilon: z.number(),
  threshold: z.number(),
})
