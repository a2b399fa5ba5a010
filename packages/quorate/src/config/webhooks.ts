import { z } from 'zod'
import { LOOPBACK_NAME } from './public-url.ts'

/** What a webhook can be told of. */
export const WEBHOOK_EVENTS = [
  'decision.acted',
  'decision.deferred',
  'review.submitted',
  'review.retracted',
  'policy.suspended',
] as const

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

const URL_WORDS = 'an https address, or http on loopback, without user, password or #'
const EVENT_WORDS = `a list of ${WEBHOOK_EVENTS.join(', ')}`
const SECRET_WORDS = 'the name of an environment variable in capitals, such as HOOK_SECRET'

export const WebhookSchema = z.strictObject(
  {
    url: z
      .string({ error: URL_WORDS })
      .max(2000, { error: URL_WORDS })
      .refine(isWebhookAddress, { error: URL_WORDS })
      .describe('Where the server posts to. It follows no redirect.'),
    events: z
      .array(z.enum(WEBHOOK_EVENTS, { error: `one of ${WEBHOOK_EVENTS.join(', ')}` }), { error: EVENT_WORDS })
      .min(1, { error: EVENT_WORDS })
      .max(WEBHOOK_EVENTS.length, { error: 'a list of events, each once' })
      .default([...WEBHOOK_EVENTS])
      .describe('What it is told of; all, unless given.'),
    secretEnv: z
      .string({ error: SECRET_WORDS })
      .regex(/^[A-Z_][A-Z0-9_]{0,63}$/, { error: SECRET_WORDS })
      .describe('Name of the environment variable that holds the secret messages are signed with. Never the secret.'),
  },
  { error: 'a map with url and secretEnv' },
)

export type Webhook = z.output<typeof WebhookSchema>

/** What is told must not be read on its way. */
function isWebhookAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password, hash } = new URL(text)
  if (`${username}${password}${hash}` !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK_NAME.test(hostname))
}
