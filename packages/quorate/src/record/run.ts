import { z } from 'zod'
import { debateStatusSchema } from './debate.ts'
import type { Immutable } from './immutable.ts'
import { hashSchema, shareSchema, timeSchema } from './names.ts'

/** A run takes questions through debates to decisions, and can be resumed. */
export const runSchema = z.object({
  /** Time-ordered (UUID version 7). */
  id: z.string(),
  kind: z.enum(['debate', 'decide']),
  createdAt: timeSchema,
  configHash: z.string(),
  /** SHA-256 of what identifies the run when it is resumed. Never of texts: the hash would outlive them and confirm guesses. */
  questionsHash: z.string(),
  /** The resolved config as canonical JSON, without keys. */
  config: z.string(),
  certificateId: z.string().nullable(),
  /** A shadow run decides and logs, but makes no review items and no messages, and the monitor does not count it. */
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
  /** Sampled for a spot check at intake, before any call. */
  isSpotCheck: z.boolean(),
  /** Number of the run's key that this question was sampled with; null: there was no sampling. */
  samplingKey: z.int().nullable(),
  /** Probability of being sampled; null: there was no sampling. */
  samplingRate: shareSchema.nullable(),
  status: questionStatusSchema,
})
export type RunQuestion = Immutable<z.infer<typeof runQuestionSchema>>

/** How a question was sampled for a spot check: the result, and the key and the probability; null: no coin was tossed. */
export type QuestionSampling = Pick<RunQuestion, 'isSpotCheck' | 'samplingKey' | 'samplingRate'>

/**
 * The secret with which a run samples its spot checks. Nothing that people or programs can list shows it. The ledger
 * has its SHA-256 from the beginning, and a bundle discloses it when it is no longer in use.
 */
export const samplingKeySchema = z.object({
  runId: z.string(),
  /** From 1. A run that takes questions as they arrive gets a new key every day. */
  number: z.int(),
  /** 32 bytes in hexadecimal digits. */
  key: hashSchema,
  createdAt: timeSchema,
})
export type SamplingKey = Immutable<z.infer<typeof samplingKeySchema>>
