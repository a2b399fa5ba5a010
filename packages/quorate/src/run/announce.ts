import type { WebhookEvent } from '../config/webhooks.ts'
import type { OutboxMessage } from '../store/outbox.ts'

/** An event for webhooks. Its body has no text of a question or a reply. */
export interface Announcement {
  readonly event: WebhookEvent
  /** Such as the id of a review: who undoes that finds the message by it. */
  readonly subject: string | null
  readonly at: number
  /** Not to be sent before. */
  readonly notBefore: number
  readonly body: Readonly<Record<string, unknown>>
}

/** The messages of an event, one for each target that wants it. */
export type Announce = (announcement: Announcement) => readonly OutboxMessage[]

/** A webhook as the store knows it: a writer of messages need not know where they go. */
export interface NamedTarget {
  readonly name: string
  readonly events: readonly WebhookEvent[]
}

export function announceTo(targets: readonly NamedTarget[], newId: () => string): Announce {
  return ({ event, subject, at, notBefore, body }) =>
    targets
      .filter(({ events }) => events.includes(event))
      .map(({ name }) => {
        const id = newId()
        const text = JSON.stringify({ quorate: 1, id, event, at, data: body })
        return { id, event, body: text, target: name, createdAt: at, notBefore, subject }
      })
}
