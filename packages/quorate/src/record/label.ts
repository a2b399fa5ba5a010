import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { timeSchema } from './names.ts'

/** Who says that an option is right, where the program learned it. */
export const labelSchema = z.object({
  id: z.string(),
  runId: z.string().nullable(),
  questionId: z.string(),
  /** Null: whoever looked could not tell, or called the question bad. */
  gold: z.string().nullable(),
  source: z.enum(['import', 'deferral', 'spot-check']),
  by: z.string().nullable(),
  at: timeSchema,
  verdict: z.enum(['option', 'cannot-tell', 'bad-question']),
  /** The review that it came of, which has one label at most; null: none. */
  reviewId: z.string().nullable(),
})
export type LabelRecord = Immutable<z.infer<typeof labelSchema>>
