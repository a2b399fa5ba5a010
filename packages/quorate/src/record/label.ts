import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { LIMITS } from './limits.ts'
import { timeSchema } from './names.ts'

/** A label: which option is right, and who said so. */
export const labelSchema = z.object({
  id: z.string(),
  runId: z.string().nullable(),
  questionId: z.string(),
  /**
   * The right option. For open answers: the decided class if it is right, else the first right class, or `other` if
   * none is right. Null if the reviewer could not tell or called the question bad.
   */
  gold: z.string().nullable(),
  source: z.enum(['import', 'deferral', 'spot-check', 'request']),
  by: z.string().nullable(),
  at: timeSchema,
  verdict: z.enum(['option', 'answer', 'grades', 'cannot-tell', 'bad-question']),
  /** Open answers: whether each class is right, null for a class that the reviewer could not judge. Null for other verdicts. */
  grades: z.array(z.object({ answer: z.string().max(LIMITS.name), right: z.boolean().nullable() })).nullable(),
  /** The answer as a person typed it; null after erasure, or if nobody typed one. */
  text: z.string().nullable(),
  /** The review that it came from, which has at most one label; null if it came from none. */
  reviewId: z.string().nullable(),
})
export type LabelRecord = Immutable<z.infer<typeof labelSchema>>

/** Whether the question was chosen before anything was known about it. Only such labels show how often the panel is right. */
export function isRandomSample(source: LabelRecord['source']): boolean {
  return source === 'import' || source === 'spot-check'
}
