import type { OutboxMessage } from '../outbox.ts'
import type { LedgerEntry, LedgerRow, Millis } from '../store.ts'

/** The chain of the ledger that policy events are in; no run has this id. */
export const POLICY_CHAIN = 'policy'

export interface PolicyEvent {
  readonly id: string
  /** Of its row in POLICY_CHAIN: the order of the commits. Neither the id nor `at`, which come from clocks, orders events. */
  readonly sequence: number
  readonly kind: 'suspend' | 'release' | 'activate'
  /** Of a suspension. */
  readonly cause: 'monitor' | 'drift' | 'fingerprint' | 'admin' | 'shadow' | null
  readonly certificateId: string | null
  /** Null: the program itself. */
  readonly by: string | null
  /** In plain words. */
  readonly note: string | null
  readonly at: Millis
  /** The last arrival for its certificate (see `SpotCheck`) before it: monitors restart after it, or end there at a suspension. */
  readonly arrival: number
}

export interface PolicyChange {
  /** The store fills in `sequence` and `arrival`. */
  readonly event: Omit<PolicyEvent, 'sequence' | 'arrival'>
  /** In POLICY_CHAIN; texts in it belong to no question, so their `questionId` is ''. */
  readonly entry: LedgerEntry
  readonly messages: readonly OutboxMessage[]
  /** Nothing is written, and null given, while the policy is suspended or is not: of two processes only one suspends. */
  readonly unless?: 'suspended' | 'not-suspended'
}

export interface PolicyStore {
  /** The event, its ledger entry and its messages in one commit. */
  append(change: PolicyChange): Promise<{ readonly event: PolicyEvent; readonly row: LedgerRow } | null>
  /** The suspension that no release has ended; null: there is none. */
  currentSuspension(): Promise<PolicyEvent | null>
  /** The last arrival for a certificate before this release, in the order of commits; 0: there was none. */
  arrivalBefore(release: PolicyEvent, certificateId: string): Promise<number>
  /** Latest first; `before` is a sequence. */
  list(page: {
    readonly before: number | null
    readonly limit: number
    readonly kind?: PolicyEvent['kind']
  }): Promise<readonly PolicyEvent[]>
}
