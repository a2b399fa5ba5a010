import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { LIMITS } from './limits.ts'
import { nameSchema, shareSchema } from './names.ts'

/** One agent's turn in one round. Unknown fields are kept; fields that no reader checks may contain anything. */
export const turnSchema = z.looseObject({
  agent: nameSchema,
  answer: nameSchema.nullable().describe('Name of an option; null for an abstention'),
  answer_text: z.string().nullable().optional().describe('Open answers: the text of the answer; `answer` is its class'),
  beliefs: z
    .record(nameSchema, z.number().min(0))
    .nullable()
    .optional()
    .describe('Probability by option. A missing option has 0. A sum within .01 of 1 is scaled to 1 and counted'),
  conf: z
    .looseObject({ verbal: shareSchema.nullable().optional() })
    .nullable()
    .optional()
    .describe('verbal: the probability that the agent stated for its answer. Without it the turn has no stated belief'),
  samples: z.array(nameSchema.nullable()).min(1).max(LIMITS.samples).nullable().optional(),
  text: z.string().nullable().optional().catch(null).describe('The reply, verbatim'),
  usage: z
    .looseObject({ inputTokens: z.number(), outputTokens: z.number() })
    .nullable()
    .optional()
    .catch(null)
    .describe('Tokens of all calls of the turn'),
  served: z
    .array(z.string())
    .nullable()
    .optional()
    .catch(null)
    .describe('Ids of the models that answered, as the provider returned them'),
})
export type Turn = Immutable<z.infer<typeof turnSchema>>

export const roundsSchema = z.array(z.array(turnSchema).min(1).max(LIMITS.agents)).max(LIMITS.rounds)

/** True if the turn has no answer, no beliefs and no sample. Beliefs and samples count even without one answer. */
export function isUnreadable({ answer, beliefs = null, samples }: Turn): boolean {
  return answer === null && beliefs === null && !(samples ?? []).some((sample) => sample !== null)
}
