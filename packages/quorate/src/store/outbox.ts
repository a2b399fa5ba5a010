import type { MessageEvent } from '../record/webhook-event.ts'
import type { Millis } from './store.ts'

/** A message to a webhook. It contains no text of a question or a reply, because `redact` does not erase messages. */
export interface OutboxMessage {
  readonly id: string
  readonly event: MessageEvent
  /** JSON. If the public address of the app is known, the sender adds a link on delivery. */
  readonly body: string
  readonly target: string
  readonly createdAt: Millis
  readonly notBefore: Millis
  /** What the message is about, such as the id of a review. Undoing the review finds the message by it. */
  readonly subject: string | null
}

export interface StoredMessage extends OutboxMessage {
  readonly attempts: number
  /** When the next attempt is due; null: delivered, cancelled or given up. */
  readonly nextAt: Millis | null
  readonly deliveredAt: Millis | null
  readonly lastError: string | null
}

/** One target, or all but some. */
export type TargetScope = { readonly only: string } | { readonly except: readonly string[] }

/** Messages to be delivered. Each is delivered at least once, whatever process crashes. */
export interface OutboxStore {
  add(messages: readonly OutboxMessage[]): Promise<void>
  find(id: string): Promise<StoredMessage | null>
  /**
   * Leases due messages for `leaseMs`, the longest due first. No other process gets them meanwhile, and the lease of a process
   * that dies expires. `attempts` includes the attempt that begins now. Messages of the event `first` precede all others.
   */
  due(claim: {
    readonly now: Millis
    readonly limit: number
    readonly leaseMs: number
    readonly targets?: TargetScope
    readonly first?: MessageEvent
  }): Promise<readonly StoredMessage[]>
  delivered(id: string, at: Millis): Promise<void>
  /** `nextAt` null: given up. The error is the receiver's or the network's, without secrets. */
  failed(id: string, failure: { readonly error: string; readonly nextAt: Millis | null }): Promise<void>
  /** When the next message is due; null: no message is pending. */
  nextAt(targets?: TargetScope): Promise<Millis | null>
  /** The number of messages that are pending, and of those given up after at least one attempt. */
  counts(): Promise<{ readonly pending: number; readonly failed: number }>
}
