import { z } from 'zod'
import { pageQuerySchema } from './page.ts'
import { revealSchema } from './reveal.ts'

export const ledgerRowSchema = z.object({
  runId: z.string(),
  sequence: z.int(),
  hash: z.string(),
  /** { at, body, code, kind, previous, runId, sequence }; of a hidden row without body, code and kind, so that its hash cannot be made again. */
  line: z.record(z.string(), z.unknown()),
  /** It is about a question that a blind item of the queue is about, and who asks is a person. */
  isHidden: z.boolean(),
})
export type LedgerRowView = z.infer<typeof ledgerRowSchema>

/** GET /v1/ledger?run=&reveal=: the id of a run, or `policy` for suspensions, releases and activations. */
export const ledgerQuerySchema = pageQuerySchema.extend({ run: z.string().min(1).max(100), ...revealSchema.shape })
export type LedgerQuery = z.infer<typeof ledgerQuerySchema>
