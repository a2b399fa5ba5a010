import { createHash } from 'node:crypto'
import type { WebhookEvent } from '../../record/webhook-event.ts'
import { type MessagesOf, messagesTo, type NamedTarget } from '../../run/webhook-messages.ts'

export interface Target {
  readonly url: string
  readonly events: readonly WebhookEvent[]
  /** Absent: a signed message for a program. */
  readonly chat?: { readonly format: ChatFormat; readonly digestMs: number }
}

export type ChatFormat = 'slack' | 'teams'

export function createMessagesOf(targets: readonly Target[], newId: () => string): MessagesOf {
  return messagesTo(targets.map(namedTarget), newId)
}

export function namedTarget({ url, events }: Target): NamedTarget {
  return { name: targetName(url), events }
}

/** The name of a webhook in the store. Its path is often a secret, so the name contains only a hash of it. */
export function targetName(url: string): string {
  return `${new URL(url).origin}#${createHash('sha256').update(url).digest('hex').slice(0, 16)}`
}
