import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { timeSchema } from './names.ts'

/** What a model answered, as it is stored. */
export const replySchema = z.object({
  text: z.string(),
  finish: z.enum(['stop', 'length', 'refusal', 'other']),
  /** Null where the provider did not say. */
  usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }).nullable(),
  /** The id that the provider returned; null where it returned none. */
  servedModel: z.string().nullable(),
  /** Alternatives at each output token, the chosen one first; null where there are none. */
  logprobs: z.array(z.array(z.object({ token: z.string(), logprob: z.number() }))).nullable(),
  /** Settings that the provider or the SDK dropped, in words. */
  warnings: z.array(z.string()),
  /** Id of the call that was paid for, where this one only repeats its answer. */
  cachedFrom: z.string().optional(),
})

/** One attempt to get one answer; its key is run, question, agent, round, repeat, reminder and attempt. */
const intentSchema = z.object({
  id: z.string(),
  /** Model, messages, settings, agent, round, repeat: equal asks share it. */
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
  /** Who may write the outcome: a process that was replaced has an older token. */
  fence: z.string(),
  openedAt: timeSchema,
})
export type Intent = Immutable<z.infer<typeof intentSchema>>

const outcomeSchema = z.object({
  at: timeSchema,
  /** JSON of the reply for `answered`, null otherwise and once redacted. */
  reply: z.string().nullable(),
  inputTokens: z.int().nullable(),
  outputTokens: z.int().nullable(),
  costMicroUsd: z.int().nullable(),
  /** In words, without secrets; null for `answered`. */
  error: z.string().nullable(),
})
export type Outcome = Immutable<z.infer<typeof outcomeSchema>>

export const callStateSchema = z.enum(['open', 'answered', 'refused', 'lost'])
export type CallState = z.infer<typeof callStateSchema>

/** A paid call: what was intended, and what came of it. */
export const callSchema = intentSchema.extend(outcomeSchema.shape).extend({
  state: callStateSchema,
  /** Null while open. */
  at: timeSchema.nullable(),
})
export type StoredCall = Immutable<z.infer<typeof callSchema>>

/** Names of the requests of a batch. */
export const batchKeysSchema = z.array(z.string())
