import { z } from 'zod'

export const ledgerRowSchema = z.object({
  runId: z.string(),
  sequence: z.int(),
  hash: z.string(),
  /** { at, body, kind, previous, runId, sequence }. */
  line: z.record(z.string(), z.unknown()),
})
export type LedgerRowView = z.infer<typeof ledgerRowSchema>
