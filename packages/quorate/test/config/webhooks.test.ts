import { expect, test } from 'vitest'
import { WebhookSchema } from '../../src/config/webhooks.ts'
import { WEBHOOK_EVENTS } from '../../src/record/webhook-event.ts'

const parsed = (value: unknown) => WebhookSchema.safeParse(value)

test('a webhook receives every event unless it lists some', () => {
  const { data } = parsed({ url: 'https://example.org/hook?room=1', secretEnv: 'HOOK_SECRET' })
  expect(data?.events).toEqual(WEBHOOK_EVENTS)
})

test('an address must be https, or http on this machine', () => {
  for (const url of ['https://example.org', 'http://127.0.0.1:8080/x', 'http://localhost/x', 'http://[::1]:9/x']) {
    expect({ url, ok: parsed({ url, secretEnv: 'S' }).success }).toEqual({ url, ok: true })
  }
  for (const url of [
    'http://example.org/x',
    'http://127.0.0.1.example.org/x',
    'http://localhost.example.org/x',
    'https://user@example.org/x',
    'https://user:password@example.org/x',
    'https://example.org/x#part',
    'ftp://127.0.0.1/x',
    'file:///etc/passwd',
    '//example.org',
    'hook',
    '',
    7,
  ]) {
    expect({ url, ok: parsed({ url, secretEnv: 'S' }).success }).toEqual({ url, ok: false })
  }
})

test('a secret is named, never written, and unknown events and keys are refused', () => {
  const url = 'https://example.org'
  expect(parsed({ url, secretEnv: 'whsec_0123456789abcdef' }).success).toBe(false)
  expect(parsed({ url }).success).toBe(false)
  expect(parsed({ url, secretEnv: 'S', events: ['decision.made'] }).success).toBe(false)
  expect(parsed({ url, secretEnv: 'S', events: [] }).success).toBe(false)
  expect(parsed({ url, secretEnv: 'S', secret: 'x' }).success).toBe(false)
})
