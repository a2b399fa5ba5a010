import { z } from 'zod'
import { pageQuerySchema } from './page.ts'
import { revealSchema } from './reveal.ts'

export const ledgerRowSchema = z.object({
  runId: z.string(),
  sequence: z.int(),
  hash: z.string(),
  /**
   * { at, body, code, kind, previous, runId, sequence }. A hidden row lacks body, code and kind, so its hash cannot be
   * recomputed.
   */
  line: z.record(z.string(), z.unknown()),
  /** A blind review item is about its question, and the caller is a person. */
  isHidden: z.boolean(),
})
export type LedgerRowView = z.infer<typeof ledgerRowSchema>

/** GET /v1/ledger?run=&reveal=. `run` is the id of a run, or `policy` for suspensions, releases and activations. */
export const ledgerQuerySchema = pageQuerySchema.extend({ run: z.string().min(1).max(100), ...revealSchema.shape })
export type LedgerQuery = z.infer<typeof ledgerQuerySchema>
