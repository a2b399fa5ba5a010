import type {
  LedgerRow,
  LedgerText,
  Millis,
  Review,
  Run,
  RunQuestion,
  StoredCall,
  StoredDebate,
  StoredDecision,
  StoredLabel,
} from './store.ts'

/** The tables as Kysely sees them, in camel case; in the database names are in snake case. */
export interface Tables {
  readonly runs: Columns<Run> & { readonly fence: string | null }
  readonly runQuestions: Columns<RunQuestion>
  readonly calls: Columns<StoredCall>
  readonly debates: Columns<StoredDebate>
  readonly certificates: Columns<CertificateRow>
  readonly decisions: Columns<StoredDecision>
  readonly labels: Columns<StoredLabel>
  readonly reviews: Columns<Review>
  readonly ledger: Columns<LedgerRow>
  readonly ledgerTexts: Columns<LedgerText & { readonly position: number }>
  readonly quorateSchema: { readonly version: number; readonly name: string; readonly appliedAt: Millis }
}

export interface CertificateRow {
  readonly id: string
  readonly file: string
  readonly at: Millis
  readonly runId: string | null
}

/** SQLite has no booleans, so both engines keep 0 and 1. */
export type Flag = 0 | 1

export function flag(value: boolean): Flag {
  return value ? 1 : 0
}

type Columns<Row> = { readonly [Name in keyof Row]: Row[Name] extends boolean ? Flag : Row[Name] }
