import { z } from 'zod'
import { isLoopback } from '../model/loopback.ts'
import { variableName } from '../record/names.ts'
import { WEBHOOK_EVENTS, type WebhookEvent } from '../record/webhook-event.ts'

/** The events that a chat receives immediately. Events of single questions would distinguish spot checks from deferrals. */
export const CHAT_EVENTS = ['policy.suspended'] as const satisfies readonly WebhookEvent[]

const URL_WORDS = 'an https address, or http on loopback, without user, password or #'
const EVENT_WORDS = `a list of ${WEBHOOK_EVENTS.join(', ')}`

export const WebhookSchema = z.strictObject(
  {
    url: z
      .string({ error: URL_WORDS })
      .max(2000, { error: URL_WORDS })
      .refine(isWebhookAddress, { error: URL_WORDS })
      .describe('Address to which the server posts. It follows no redirect.'),
    events: z
      .array(z.enum(WEBHOOK_EVENTS, { error: `one of ${WEBHOOK_EVENTS.join(', ')}` }), { error: EVENT_WORDS })
      .min(1, { error: EVENT_WORDS })
      .max(WEBHOOK_EVENTS.length, { error: 'a list of events, each once' })
      .default([...WEBHOOK_EVENTS])
      .describe('Events that it receives; all by default.'),
    secretEnv: variableName('HOOK_SECRET').describe(
      'Name of the environment variable with the secret that signs messages. Never the secret itself.',
    ),
  },
  { error: 'a map with url and secretEnv' },
)

const DIGEST_WORDS = 'a whole number of minutes from 5 to 10080'

/** A chat that receives the number of waiting questions. The address of such a webhook is itself a secret. */
export const NoticeSchema = z.strictObject(
  {
    to: z.enum(['slack', 'teams'], { error: 'one of slack, teams' }),
    urlEnv: variableName('SLACK_URL').describe(
      'Name of the environment variable with the address of the webhook. Never the address itself.',
    ),
    digestMinutes: z
      .number({ error: DIGEST_WORDS })
      .int({ error: DIGEST_WORDS })
      .min(5, { error: DIGEST_WORDS })
      .max(10_080, { error: DIGEST_WORDS })
      .default(60)
      .describe('How often the chat receives the number of waiting questions. No message is sent while none waits.'),
  },
  { error: 'a map with to and urlEnv' },
)

export type Notice = z.output<typeof NoticeSchema>

export type Webhook = z.output<typeof WebhookSchema>

/** Whether messages to the address are encrypted in transit, or stay on this machine. */
export function isWebhookAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password, hash } = new URL(text)
  if (`${username}${password}${hash}` !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}
