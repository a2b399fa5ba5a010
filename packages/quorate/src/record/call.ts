import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { timeSchema } from './names.ts'

/** A model's reply as it is stored. */
export const replySchema = z.object({
  text: z.string(),
  finish: z.enum(['stop', 'length', 'refusal', 'other']),
  /** Null if the provider did not report it. */
  usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }).nullable(),
  /** The id that the provider returned; null if it returned none. */
  servedModel: z.string().nullable(),
  /** Alternatives at each output token, the chosen one first; null if there are none. */
  logprobs: z.array(z.array(z.object({ token: z.string(), logprob: z.number() }))).nullable(),
  /** Settings that the provider or the SDK dropped, in words. */
  warnings: z.array(z.string()),
  /** Id of the paid call whose answer this reply repeats; absent if this call was paid for. */
  cachedFrom: z.string().optional(),
})

/** One attempt to get one answer. Its key is run, question, agent, round, repeat, reminder and attempt. */
const intentSchema = z.object({
  id: z.string(),
  /** Equal for calls that may share an answer; see `cacheKey` in `run/calls/pay-for-call.ts` for what it covers. */
  cacheKey: z.string(),
  runId: z.string(),
  questionId: z.string(),
  agent: z.string(),
  round: z.int(),
  repeat: z.int(),
  isReminder: z.boolean(),
  attempt: z.int(),
  model: z.string(),
  /** Upper estimate in millionths of a dollar; null for an unpriced model. */
  reservedMicroUsd: z.int().nullable(),
  /** Fencing token of the process that may write the outcome. A process that was replaced has an older one. */
  fence: z.string(),
  openedAt: timeSchema,
})
export type Intent = Immutable<z.infer<typeof intentSchema>>

const callOutcomeSchema = z.object({
  at: timeSchema,
  /** JSON of the reply for `answered`; null otherwise, and after redaction. */
  reply: z.string().nullable(),
  inputTokens: z.int().nullable(),
  outputTokens: z.int().nullable(),
  costMicroUsd: z.int().nullable(),
  /** The error in words, without secrets; null for `answered`. */
  error: z.string().nullable(),
})
export type CallOutcome = Immutable<z.infer<typeof callOutcomeSchema>>

export const callStateSchema = z.enum(['open', 'answered', 'refused', 'lost'])
export type CallState = z.infer<typeof callStateSchema>

/** A paid call: its intent and its outcome. */
export const callSchema = intentSchema.extend(callOutcomeSchema.shape).extend({
  state: callStateSchema,
  /** Null while open. */
  at: timeSchema.nullable(),
})
export type StoredCall = Immutable<z.infer<typeof callSchema>>

/** Keys of the requests in a batch. */
export const batchKeysSchema = z.array(z.string())
