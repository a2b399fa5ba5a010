import { z } from 'zod'
import { runSchema } from '../record/run.ts'

/** A run in a list. Counts leave out decisions that are hidden from the caller until they are reviewed. */
export const runRowSchema = z.object({
  id: runSchema.shape.id,
  kind: runSchema.shape.kind,
  /** `cli`: from the command line; `api`: questions asked over HTTP; `posted`: a client's own debates, sent to /v1/certify. */
  source: z.enum(['cli', 'api', 'posted']),
  /** Who posted the debates; null for other sources. */
  postedBy: z.string().nullable(),
  createdAt: runSchema.shape.createdAt,
  certificate: runSchema.shape.certificateId,
  /** It decides and records, but acts on nothing. */
  isShadow: runSchema.shape.isShadow,
  status: runSchema.shape.status,
  questions: z.int(),
  pending: z.int(),
  failed: z.int(),
  acted: z.int(),
  deferred: z.int(),
  /** Decided, but hidden until they are reviewed; 0 for a caller who sees everything. */
  hidden: z.int(),
  spotChecks: z.object({ sampled: z.int(), labelled: z.int() }),
  /** Null: nothing was paid in this run. */
  costMicroUsd: z.number().nullable(),
  /** Upper limit of what calls of unknown cost add to it. */
  reservedMicroUsd: z.number(),
  unpricedCalls: z.int(),
})
export type RunRow = z.infer<typeof runRowSchema>
