import { z } from 'zod'
import { turnSchema } from '../record/answer.ts'
import { LIMITS } from '../record/limits.ts'
import { idSchema, plainNameSchema, textSchema } from '../record/names.ts'
import { fieldsSchema, optionsSchema } from '../record/question.ts'

export { type QuestionInput, questionInputSchema } from '../record/question.ts'

const turnInputSchema = turnSchema
  .omit({ usage: true, served: true })
  .extend({ agent: plainNameSchema, text: textSchema.nullable().optional() })

/** POST /v1/certify: all rounds so far of the caller's debate. */
export const certifyInputSchema = z.object({
  /** Id of the certificate; the active one unless given. */
  certificate: z.string().min(1).max(200).optional(),
  id: idSchema,
  /** Key of the question that is debated, if several debates share one; `id` unless given. */
  question_of: plainNameSchema.nullable().optional(),
  /** Text of the question, for the reviewer. */
  question: textSchema.optional(),
  options: optionsSchema(LIMITS.fewestOptions, textSchema),
  group: plainNameSchema.nullable().optional(),
  fields: fieldsSchema,
  rounds: z.array(z.array(turnInputSchema).min(1).max(LIMITS.agents)).min(1).max(LIMITS.rounds),
})
export type CertifyInput = z.infer<typeof certifyInputSchema>
