import { z } from 'zod'
import { quorateFieldsSchema } from './openai.ts'

/** RFC 9457 (problem+json). `errors` names each refused field, the expected value and the received one. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  /** What to do next, if it is known. */
  next: z.string().optional(),
  /** Status 429 only: how long to wait, as in the header Retry-After. */
  retryAfterSeconds: z.int().optional(),
  /** OpenAI-compatible routes only: the same error in OpenAI's format. */
  error: z
    .object({ message: z.string(), type: z.string(), param: z.string().nullable(), code: z.string().nullable() })
    .optional(),
  /** Only for a deferral that the client wants as an error. */
  quorate: quorateFieldsSchema.optional(),
  errors: z.array(z.object({ field: z.string(), expected: z.string(), received: z.string().optional() })).optional(),
})
export type Problem = z.infer<typeof problemSchema>
