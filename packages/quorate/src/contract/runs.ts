import { z } from 'zod'
import { runSchema } from '../record/run.ts'

/** A run as its list shows it. Counts leave out what is hidden from who asks until it is reviewed. */
export const runRowSchema = z.object({
  id: runSchema.shape.id,
  kind: runSchema.shape.kind,
  /** `cli`: the command line; `api`: questions over HTTP to the panel; `posted`: debates that a client certified. */
  source: z.enum(['cli', 'api', 'posted']),
  /** Who posted the debates; null of other sources. */
  postedBy: z.string().nullable(),
  createdAt: runSchema.shape.createdAt,
  certificate: runSchema.shape.certificateId,
  /** Decides and records, but acts on nothing. */
  isShadow: runSchema.shape.isShadow,
  status: runSchema.shape.status,
  questions: z.int(),
  pending: z.int(),
  failed: z.int(),
  acted: z.int(),
  deferred: z.int(),
  /** Decided and hidden until they are reviewed; none for who sees everything. */
  hidden: z.int(),
  spotChecks: z.object({ sampled: z.int(), labelled: z.int() }),
  /** Null: nothing was paid in this run. */
  costMicroUsd: z.number().nullable(),
  /** At most this much more, for calls whose cost is not known. */
  reservedMicroUsd: z.number(),
  unpricedCalls: z.int(),
})
export type RunRow = z.infer<typeof runRowSchema>
