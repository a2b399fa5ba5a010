import type { Millis } from '../store.ts'

export interface LedgerEntry {
  readonly runId: string
  readonly kind: string
  readonly at: Millis
  /** A JSON object; free text stands in it only as a salted digest. */
  readonly body: Readonly<Record<string, unknown>>
  /** Texts behind the digests of the body, erased by `redact`. */
  readonly texts: readonly {
    readonly digest: string
    readonly salt: string
    readonly text: string
    readonly questionId: string
  }[]
}

/** A text behind a digest; without text and salt once redacted, so that the digest reveals nothing. */
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
  /** RFC 8785 JSON of { at, body, kind, previous, runId, sequence }. */
  readonly line: string
  readonly hash: string
}

export interface LedgerStore {
  /** Chains the entry to the last of its run; under a `fence` that was taken over it is an error. */
  append(entry: LedgerEntry, fence?: string): Promise<LedgerRow>
  list(runId: string, page: { readonly after: number; readonly limit: number }): Promise<readonly LedgerRow[]>
  head(runId: string): Promise<LedgerRow | null>
  /** The texts of one row. */
  texts(runId: string, sequence: number): Promise<readonly LedgerText[]>
}
