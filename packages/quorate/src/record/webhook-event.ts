/** Events that a webhook can receive. */
export const WEBHOOK_EVENTS = [
  'decision.acted',
  'decision.deferred',
  'review.submitted',
  'review.retracted',
  'policy.suspended',
] as const

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** The events of stored messages. Only chats receive the number of waiting items. */
export const MESSAGE_EVENTS = [...WEBHOOK_EVENTS, 'reviews.waiting'] as const

export type MessageEvent = (typeof MESSAGE_EVENTS)[number]
