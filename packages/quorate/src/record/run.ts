import { z } from 'zod'
import { debateStatusSchema } from './debate.ts'
import type { Immutable } from './immutable.ts'
import { hashSchema, shareSchema, timeSchema } from './names.ts'

/** Questions through debates to decisions, resumable. */
export const runSchema = z.object({
  /** Time-ordered (UUID version 7). */
  id: z.string(),
  kind: z.enum(['debate', 'decide']),
  createdAt: timeSchema,
  configHash: z.string(),
  /** SHA-256 of what finds the run again. Never of texts: it would outlive them, and confirm guesses. */
  questionsHash: z.string(),
  /** The resolved config as canonical JSON, without keys. */
  config: z.string(),
  certificateId: z.string().nullable(),
  isShadow: z.boolean(),
  seed: z.int(),
  status: z.enum(['open', 'done']),
})
export type Run = Immutable<z.infer<typeof runSchema>>

export const questionStatusSchema = z.enum(['pending', ...debateStatusSchema.options])
export type QuestionStatus = z.infer<typeof questionStatusSchema>

/** A question of a run. */
export const runQuestionSchema = z.object({
  runId: z.string(),
  position: z.int(),
  questionId: z.string(),
  /** JSON of the question, null once redacted. */
  question: z.string().nullable(),
  /** Chosen for a spot check at intake, before any call. */
  isSpotCheck: z.boolean(),
  /** Number of the run's key that the coin of this question was tossed with; null: no coin was tossed. */
  samplingKey: z.int().nullable(),
  /** Probability that the coin was tossed with; null: no coin was tossed. */
  samplingRate: shareSchema.nullable(),
  status: questionStatusSchema,
})
export type RunQuestion = Immutable<z.infer<typeof runQuestionSchema>>

/**
 * A secret of a run that its spot checks are chosen with. Nothing that people or programs can list shows it: the ledger has
 * its SHA-256 from the beginning, and a bundle discloses it when it is no longer in use.
 */
export const samplingKeySchema = z.object({
  runId: z.string(),
  /** From 1; a run that takes questions as they come gets a new one every day. */
  number: z.int(),
  /** 32 bytes in hexadecimal digits. */
  key: hashSchema,
  createdAt: timeSchema,
})
export type SamplingKey = Immutable<z.infer<typeof samplingKeySchema>>
