import { z } from 'zod'
import { quorateFieldsSchema } from './openai.ts'

/** RFC 9457 (problem+json). `errors` names each field that was refused, what was expected and what came. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  /** What to do next, where that is known. */
  next: z.string().optional(),
  /** Of 429: how long to wait, the same as the header Retry-After. */
  retryAfterSeconds: z.int().optional(),
  /** Of the routes for clients of OpenAI: the same in the form that they read. */
  error: z
    .object({ message: z.string(), type: z.string(), param: z.string().nullable(), code: z.string().nullable() })
    .optional(),
  /** Of a deferral that was asked for as an error. */
  quorate: quorateFieldsSchema.optional(),
  errors: z.array(z.object({ field: z.string(), expected: z.string(), received: z.string().optional() })).optional(),
})
export type Problem = z.infer<typeof problemSchema>
