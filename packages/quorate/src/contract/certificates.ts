import { PROFILES } from '@quorate/certificate'
import { z } from 'zod'
import { budgetSchema, shareSchema } from './figures.ts'

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

export const certificateViewSchema = certificateRowSchema.extend({
  claim: z.array(z.string()),
  fingerprint: z.record(z.string(), z.unknown()),
  decisions: z.object({ acted: shareSchema.nullable() }),
})
export type CertificateView = z.infer<typeof certificateViewSchema>

/** POST /v1/certificates?beta=&profile=&delta=&epsilon=&beliefs= with debates as JSONL. */
export const madeCertificateSchema = certificateViewSchema.extend({
  /** Not used. `undecidable`: whoever looked could not tell the right option, or called the question bad. */
  dropped: z.object({
    unlabelled: z.int(),
    undecidable: z.int(),
    failed: z.int(),
    short: z.int(),
    undrawn: z.int(),
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
  beliefs: z.enum(['given', 'stated', 'vote', 'samples']).optional(),
})
export type MakeCertificateQuery = z.infer<typeof makeCertificateQuerySchema>
