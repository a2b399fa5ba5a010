import { z } from 'zod'
import { hashSchema, timeSchema } from './names.ts'

/** What a row in the chain of a run can record. `quorate verify` has a check for each. */
export const RUN_LEDGER_KINDS = [
  'run-opened',
  'run-resumed',
  'run-closed',
  'calls-archived',
  'sampling-key',
  'decision',
  'round-certified',
  'review',
  'review-undone',
  'review-retracted',
  'review-assigned',
  'review-requested',
  'claim-released',
  'blind-revealed',
  'regrades-sampled',
] as const
export type RunLedgerKind = (typeof RUN_LEDGER_KINDS)[number]

/** The chains of policy events and of tokens belong to no run. */
export type LedgerKind = RunLedgerKind | 'suspend' | 'release' | 'activate' | 'token-made' | 'token-revoked'

/** The content of a ledger row, as RFC 8785 JSON. `previous`, the hash of the previous row, chains the rows. */
export const ledgerLineSchema = z.looseObject({
  sequence: z.int().min(1),
  runId: z.string(),
  kind: z.string(),
  at: timeSchema.describe('Milliseconds since 1970'),
  previous: hashSchema,
  code: z
    .strictObject({ version: z.string(), methodVersion: z.int() })
    .describe('The version of quorate and of the method that wrote the row'),
  body: z.record(z.string(), z.unknown()),
})
