import type { Millis } from './store.ts'

/** A message to a webhook. It holds no text of a question or a reply: `redact` does not look into it. */
export interface OutboxMessage {
  readonly id: string
  readonly event: string
  /** JSON; where the public address of the app is known, its delivery adds a link. */
  readonly body: string
  readonly target: string
  readonly createdAt: Millis
  readonly notBefore: Millis
  /** What it is about, such as the id of a review: who undoes that finds the message by it. */
  readonly subject: string | null
}

export interface StoredMessage extends OutboxMessage {
  readonly attempts: number
  /** When it is tried next; null: delivered, cancelled or given up. */
  readonly nextAt: Millis | null
  readonly deliveredAt: Millis | null
  readonly lastError: string | null
}

/** Of one target, or of all but some. */
export type TargetScope = { readonly only: string } | { readonly except: readonly string[] }

/** Messages on their way: each is delivered at least once, after any crash. */
export interface OutboxStore {
  add(messages: readonly OutboxMessage[]): Promise<void>
  find(id: string): Promise<StoredMessage | null>
  /**
   * Takes what is due, the longest due first, for `leaseMs`: nobody else gets it meanwhile, and who dies with it gives it
   * free. `attempts` counts the one that begins. Messages of the event `first` come before all others.
   */
  due(claim: {
    readonly now: Millis
    readonly limit: number
    readonly leaseMs: number
    readonly targets?: TargetScope
    readonly first?: string
  }): Promise<readonly StoredMessage[]>
  delivered(id: string, at: Millis): Promise<void>
  /** `nextAt` null: given up. The words are the receiver's or the network's, without secrets. */
  failed(id: string, failure: { readonly error: string; readonly nextAt: Millis | null }): Promise<void>
  /** False: it is delivered, cancelled or given up already. */
  cancel(id: string): Promise<boolean>
  /** When the next one is due; null: none is on its way. */
  nextAt(targets?: TargetScope): Promise<Millis | null>
  /** On their way, and given up after attempts. */
  counts(): Promise<{ readonly pending: number; readonly failed: number }>
}
