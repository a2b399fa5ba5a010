import type { LedgerKind } from '../../record/ledger.ts'
import type { Millis } from '../store.ts'

export interface LedgerEntry {
  readonly runId: string
  readonly kind: LedgerKind
  readonly at: Millis
  /** A JSON object. It contains free text only as a salted digest. */
  readonly body: Readonly<Record<string, unknown>>
  /** The texts of the digests in the body. `redact` erases them. */
  readonly texts: readonly {
    readonly digest: string
    readonly salt: string
    readonly text: string
    readonly questionId: string
  }[]
}

/** The text of a digest. A redaction removes text and salt, so that the digest reveals nothing. */
export interface LedgerText {
  readonly runId: string
  readonly sequence: number
  readonly digest: string
  readonly salt: string | null
  readonly text: string | null
  readonly questionId: string
}

export interface LedgerRow {
  readonly runId: string
  /** From 1, without gaps. */
  readonly sequence: number
  /** RFC 8785 JSON of { at, body, code, kind, previous, runId, sequence }. */
  readonly line: string
  readonly hash: string
}

export interface LedgerStore {
  /** Appends the entry to the chain of its run. A `fence` that was taken over is an error. */
  append(entry: LedgerEntry, fence?: string): Promise<LedgerRow>
  list(runId: string, page: { readonly after: number; readonly limit: number }): Promise<readonly LedgerRow[]>
  head(runId: string): Promise<LedgerRow | null>
}
