import { z } from 'zod'
import { pageQuerySchema } from './page.ts'

export const ledgerRowSchema = z.object({
  runId: z.string(),
  sequence: z.int(),
  hash: z.string(),
  /** { at, body, kind, previous, runId, sequence }. */
  line: z.record(z.string(), z.unknown()),
})
export type LedgerRowView = z.infer<typeof ledgerRowSchema>

/** GET /v1/ledger?run=: the id of a run, or `policy` for holds, releases and activations. */
export const ledgerQuerySchema = pageQuerySchema.extend({ run: z.string().min(1).max(100) })
export type LedgerQuery = z.infer<typeof ledgerQuerySchema>
