import type { WebhookEvent } from '../record/webhook-event.ts'
import type { OutboxMessage } from '../store/outbox.ts'

/** An event for webhooks. Its body contains no text of a question or a reply. */
export interface WebhookNotice {
  readonly event: WebhookEvent
  /** Id of what the event is about, such as a review. Undoing the review finds its message by this id. */
  readonly subject: string | null
  readonly at: number
  /** The message must not be sent before this time. */
  readonly notBefore: number
  readonly body: Readonly<Record<string, unknown>>
}

/** The messages of an event, one for each target that subscribes to it. The commit of the event must store them. */
export type MessagesOf = (notice: WebhookNotice) => readonly OutboxMessage[]

/** A webhook as the store knows it, without its address: a process that writes messages does not need that. */
export interface NamedTarget {
  readonly name: string
  readonly events: readonly WebhookEvent[]
}

/** Makes the messages for these targets. */
export function messagesTo(targets: readonly NamedTarget[], newId: () => string): MessagesOf {
  return ({ event, subject, at, notBefore, body }) =>
    targets
      .filter(({ events }) => events.includes(event))
      .map(({ name }) => {
        const id = newId()
        const text = JSON.stringify({ quorate: 1, id, event, at, data: body })
        return { id, event, body: text, target: name, createdAt: at, notBefore, subject }
      })
}
