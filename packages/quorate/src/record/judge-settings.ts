import { z } from 'zod'
import { LIMITS } from './limits.ts'
import { trimmedText, variableName } from './names.ts'

/*
 * A model that judges answers and gives none: whether two of them are the same, or whether one is right. Every message
 * ends the sentence "KEY must be ...".
 */

/** The names of their calls in the store. No agent of the same panel may have one of these names. */
export const JUDGE = 'judge'
export const GRADER = 'grader'

const TEMPERATURE = 'a number from 0 to 2, such as 0, or null'
const TOKENS = 'a whole number from 1 to 1000000'

/** How such a model is reached and asked. */
export const judgeFields = {
  model: trimmedText('provider/name, such as anthropic/claude-haiku-4-5', 200).describe(
    'provider/name of the model, as of an agent.',
  ),
  baseURL: trimmedText('an http or https address, such as http://127.0.0.1:8000/v1', 2000)
    .optional()
    .describe('Address of an OpenAI-compatible server.'),
  apiKeyEnv: variableName('QWEN_KEY')
    .optional()
    .describe('Name of the environment variable with the key. Never the key itself.'),
  temperature: z
    .number({ error: TEMPERATURE })
    .min(0, { error: TEMPERATURE })
    .max(2, { error: TEMPERATURE })
    .nullable()
    .default(0)
    .describe('null: leave it to the provider.'),
  maxOutputTokens: z
    .number({ error: TOKENS })
    .int({ error: TOKENS })
    .min(1, { error: TOKENS })
    .max(1_000_000, { error: TOKENS })
    .default(1024),
  prompt: trimmedText('the path of a text file, from the folder of this file', 2000)
    .optional()
    .describe('A template that replaces the built-in one, with the placeholders {question}, {responses} and {form}.'),
}

/** A model grades the answers of calibration debates. Its error is measured on answers that people grade again. */
export const graderSchema = z.discriminatedUnion(
  'kind',
  [z.strictObject({ kind: z.literal('model'), ...judgeFields })],
  { error: 'a map with kind: model and a model' },
)
export type GraderSettings = z.output<typeof graderSchema>

/** The name of a grading model in a grade, cut to the longest allowed name. */
export function graderName(model: string): string {
  return `model:${model}`.slice(0, LIMITS.name)
}
