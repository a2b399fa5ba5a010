import { ELICITATIONS, PROFILES } from '@quorate/certificate'
import { z } from 'zod'
import { budgetSchema, shareSchema, turnCountsSchema } from './figures.ts'

export const certificateRowSchema = z.object({
  id: z.string(),
  at: z.number(),
  isActive: z.boolean(),
  kind: z.enum(['knn', 'cells', 'total']),
  profile: z.string(),
  rounds: z.int(),
  /** Labelled debates it was made from. */
  labels: z.int(),
  budget: budgetSchema,
  feasible: z.boolean(),
})
export type CertificateRow = z.infer<typeof certificateRowSchema>

const classSchema = z.object({
  name: z.string(),
  kinds: z.array(z.string()),
  /** Kinds with enough debates and fewer than the floor right, dropped before the rest was tested. */
  vetoed: z.array(z.string()),
  rows: z.int(),
  right: z.int(),
  /** At least this share is right, with the floor's confidence for all classes at once. */
  lower: z.number(),
  /** `spoiled`: a kind that could not be dropped was seen below the floor. */
  state: z.enum(['acts', 'refused', 'spoiled']),
  /** About how many more labels would let it pass if the rate stays; null: it acts, or no number would. */
  labelsMissing: z.int().nullable(),
})

const kindSchema = z.object({
  name: z.string(),
  rows: z.int(),
  right: z.int(),
  /** `unseen`: no acted pilot debate was of this kind, so that it joined no class. */
  state: z.enum(['acts', 'refused', 'vetoed', 'unseen']),
})

/** Profile total: what is promised, how surely, and what was counted for it. */
export const promiseSchema = z.object({
  kind: z.enum(['pac', 'average', 'selective']),
  beta: z.number(),
  delta: z.number(),
  floor: z.number().nullable(),
  attempt: z.int(),
  /** `both`: everything that is promised, together. */
  confidence: z.object({ total: z.number(), floor: z.number(), answers: z.number(), both: z.number() }),
  outcomes: z.array(
    z.object({
      /** Null: all questions together. */
      group: z.string().nullable(),
      /** Debates kept for counting, those that are acted on among them, and those of these that are wrong. */
      counted: z.int(),
      acted: z.int(),
      wrong: z.int(),
      classes: z.array(classSchema),
      /** Answers with a budget of their own. */
      answers: z.array(
        z.object({
          answer: z.string(),
          beta: z.number(),
          rows: z.int(),
          stopped: z.int(),
          wrong: z.int(),
          state: z.enum(['acts', 'refused']),
        }),
      ),
      kinds: z.array(kindSchema),
      /** Kinds that never act on pilot labels; such a debate goes on. */
      blocked: z.array(z.string()),
      /** Which tests failed and about how many labels they lack. */
      silence: z.array(z.string()),
    }),
  ),
})

export const certificateViewSchema = certificateRowSchema.extend({
  claim: z.array(z.string()),
  /** Null for profiles other than total. */
  promise: promiseSchema.nullable(),
  fingerprint: z.record(z.string(), z.unknown()),
  /** Fields in which the panel of this server is not the calibrated one. */
  mismatch: z.array(z.string()),
  decisions: z.object({ acted: shareSchema.nullable() }),
})
export type CertificateView = z.infer<typeof certificateViewSchema>

/** POST /v1/certificates?beta=&profile=&delta=&epsilon=&floor=&promise=&beliefs= with debates as JSONL. */
export const madeCertificateSchema = certificateViewSchema.extend({
  /** Not used. */
  dropped: z.object({
    unlabelled: z.int(),
    failed: z.int(),
    short: z.int(),
    unsampled: z.int(),
  }),
  /** How the labelled debates were read. */
  reading: z.object({
    beliefs: z.enum(ELICITATIONS),
    /** Questions that they ask: runs of one question count once. */
    questions: z.int(),
    /** Debates that a reviewer could not judge, or whose question is bad: they count as wrong. */
    unjudged: z.int(),
    ...turnCountsSchema.shape,
  }),
})
export type MadeCertificate = z.infer<typeof madeCertificateSchema>

const part = z.coerce.number().min(0).lt(1)

/** What is not given is the config's. */
export const makeCertificateQuerySchema = z.object({
  beta: part.gt(0).optional(),
  delta: part.gt(0).optional(),
  epsilon: part.optional(),
  profile: z.enum(PROFILES).optional(),
  /** Profile total. */
  floor: z.union([z.literal('none'), part.gt(0)]).optional(),
  promise: z.enum(['pac', 'average', 'selective']).optional(),
  beliefs: z.enum(ELICITATIONS).optional(),
})
export type MakeCertificateQuery = z.infer<typeof makeCertificateQuerySchema>
