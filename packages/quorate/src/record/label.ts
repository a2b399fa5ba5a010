import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { LIMITS } from './limits.ts'
import { timeSchema } from './names.ts'

/** Who says that an option is right, where the program learned it. */
export const labelSchema = z.object({
  id: z.string(),
  runId: z.string().nullable(),
  questionId: z.string(),
  /**
   * The right option. Of open answers the decided class where it is right, else the first right one, and `other` where none is.
   * Null: the reviewer could not tell, or called the question bad.
   */
  gold: z.string().nullable(),
  source: z.enum(['import', 'deferral', 'spot-check', 'request']),
  by: z.string().nullable(),
  at: timeSchema,
  verdict: z.enum(['option', 'answer', 'grades', 'cannot-tell', 'bad-question']),
  /** Open answers: of every class whether it is right, null where the reviewer could not tell; null for other verdicts. */
  grades: z.array(z.object({ answer: z.string().max(LIMITS.name), right: z.boolean().nullable() })).nullable(),
  /** The answer as a person typed it; null once erased, and where nobody typed one. */
  text: z.string().nullable(),
  /** The review that it came of, which has one label at most; null: none. */
  reviewId: z.string().nullable(),
})
export type LabelRecord = Immutable<z.infer<typeof labelSchema>>

/** Whether its question was chosen before anything was known of it. Only such labels say how often the panel is right. */
export function isRandomSample(source: LabelRecord['source']): boolean {
  return source === 'import' || source === 'spot-check'
}
