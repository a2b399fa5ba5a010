import { BELIEF_READINGS, PROFILES } from '@quorate/certificate'
import { z } from 'zod'
import { budgetSchema, countedShareSchema, turnCountsSchema } from './figures.ts'

export const certificateRowSchema = z.object({
  id: z.string(),
  at: z.number(),
  isActive: z.boolean(),
  kind: z.enum(['knn', 'cells', 'total']),
  profile: z.string(),
  rounds: z.int(),
  /** Labelled debates that it was calibrated on. */
  labels: z.int(),
  budget: budgetSchema,
  feasible: z.boolean(),
})
export type CertificateRow = z.infer<typeof certificateRowSchema>

const classSchema = z.object({
  name: z.string(),
  kinds: z.array(z.string()),
  /** Kinds with enough debates whose share right is below the floor. They are dropped before the rest is tested. */
  vetoed: z.array(z.string()),
  rows: z.int(),
  right: z.int(),
  /** Lower bound on the share right. It holds for all classes at once with the floor's confidence. */
  lower: z.number(),
  /** `spoiled`: the share right of a kind that could not be dropped was below the floor. */
  state: z.enum(['acts', 'refused', 'spoiled']),
  /** Estimate of how many more labels would let it pass at the same rate; null: it acts, or no number would. */
  labelsMissing: z.int().nullable(),
})

const kindSchema = z.object({
  name: z.string(),
  rows: z.int(),
  right: z.int(),
  /** `unseen`: no pilot debate that was acted on is of this kind, so it belongs to no class. */
  state: z.enum(['acts', 'refused', 'vetoed', 'unseen']),
})

/** Profile total: the promise, its confidence and the counts behind it. */
export const promiseSchema = z.object({
  kind: z.enum(['pac', 'average', 'selective']),
  beta: z.number(),
  delta: z.number(),
  floor: z.number().nullable(),
  attempt: z.int(),
  /** `both`: of all promises together. */
  confidence: z.object({ total: z.number(), floor: z.number(), answers: z.number(), both: z.number() }),
  outcomes: z.array(
    z.object({
      /** Null: all questions together. Empty: questions without a group. */
      group: z.string().nullable(),
      /** Debates reserved for counting. */
      counted: z.int(),
      /** Counted debates that are acted on. */
      acted: z.int(),
      /** Acted debates that are wrong. */
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
      /** Kinds that never act because of their pilot labels. Such a debate continues. */
      blocked: z.array(z.string()),
      /** Why nothing is acted on: the failed tests, and about how many labels each lacks. */
      silence: z.array(z.string()),
    }),
  ),
})

export const certificateViewSchema = certificateRowSchema.extend({
  claim: z.array(z.string()),
  /** Null for profiles other than total. */
  promise: promiseSchema.nullable(),
  fingerprint: z.record(z.string(), z.unknown()),
  /** Fields in which the panel of this server differs from the calibrated one. */
  mismatch: z.array(z.string()),
  decisions: z.object({ acted: countedShareSchema.nullable() }),
})
export type CertificateView = z.infer<typeof certificateViewSchema>

/** POST /v1/certificates?beta=&profile=&delta=&epsilon=&floor=&promise=&beliefs= with debates as JSONL. */
export const madeCertificateViewSchema = certificateViewSchema.extend({
  /** Debates that were not used. */
  dropped: z.object({
    unlabelled: z.int(),
    failed: z.int(),
    short: z.int(),
    unsampled: z.int(),
  }),
  /** How the labelled debates were read. */
  reading: z.object({
    beliefs: z.enum(BELIEF_READINGS),
    /** Distinct questions: several debates of one question count once. */
    questions: z.int(),
    /** Debates that a reviewer could not judge, or whose question is bad. They count as wrong. */
    unjudged: z.int(),
    ...turnCountsSchema.shape,
  }),
})
export type MadeCertificateView = z.infer<typeof madeCertificateViewSchema>

const part = z.coerce.number().min(0).lt(1)

/** A parameter that is absent has its value from the config. */
export const makeCertificateQuerySchema = z.object({
  beta: part.gt(0).optional(),
  delta: part.gt(0).optional(),
  epsilon: part.optional(),
  profile: z.enum(PROFILES).optional(),
  /** Only for the profile total, as is `promise`. */
  floor: z.union([z.literal('none'), part.gt(0)]).optional(),
  promise: z.enum(['pac', 'average', 'selective']).optional(),
  beliefs: z.enum(BELIEF_READINGS).optional(),
})
export type MakeCertificateQuery = z.infer<typeof makeCertificateQuerySchema>
