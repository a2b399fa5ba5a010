import type { OutboxMessage } from '../outbox.ts'
import type { LedgerEntry, LedgerRow, Millis } from '../store.ts'

/** The ledger chain of policy events. No run has this id. */
export const POLICY_CHAIN = 'policy'

export interface PolicyEvent {
  readonly id: string
  /** Sequence of its row in POLICY_CHAIN, which is the order of commits. The id and `at` come from clocks and order nothing. */
  readonly sequence: number
  readonly kind: 'suspend' | 'release' | 'activate'
  /** The cause of a suspension; otherwise null. */
  readonly cause: 'monitor' | 'drift' | 'fingerprint' | 'admin' | 'shadow' | null
  readonly certificateId: string | null
  /** Null: the program itself. */
  readonly by: string | null
  /** In plain words. */
  readonly note: string | null
  readonly at: Millis
  /**
   * The last arrival for its certificate (see `SpotCheck`) before the event. Monitors restart after it or, if the event is a
   * suspension, end there.
   */
  readonly arrival: number
}

export interface PolicyChange {
  /** The store fills in `sequence` and `arrival`. */
  readonly event: Omit<PolicyEvent, 'sequence' | 'arrival'>
  /** An entry of POLICY_CHAIN. Its texts belong to no question, so their `questionId` is ''. */
  readonly entry: LedgerEntry
  readonly messages: readonly OutboxMessage[]
  /** In this state of the policy nothing is written and null is returned, so that only one of two processes suspends it. */
  readonly unless?: 'suspended' | 'not-suspended'
}

export interface PolicyStore {
  /** Writes the event, its ledger entry and its messages in one commit. */
  append(change: PolicyChange): Promise<{ readonly event: PolicyEvent; readonly row: LedgerRow } | null>
  /** The suspension that is in force; null: there is none. */
  currentSuspension(): Promise<PolicyEvent | null>
  /** How many questions had arrived for a certificate before this release, in order of commit. */
  arrivalBefore(release: PolicyEvent, certificateId: string): Promise<number>
  /** Latest first. `before` is the last sequence of the previous page. */
  list(page: {
    readonly before: number | null
    readonly limit: number
    readonly kind?: PolicyEvent['kind']
  }): Promise<readonly PolicyEvent[]>
}
