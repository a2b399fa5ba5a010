import { expect, test } from 'vitest'
import { isLoopback } from '../../../src/model/loopback.ts'
import { isOwnHost, isOwnOrigin } from '../../../src/server/access/own-address.ts'
import { createRateLimit } from '../../../src/server/access/rate-limit.ts'
import { createApp } from '../../../src/server/create-app.ts'
import { createRequestFigures } from '../../../src/server/request-figures.ts'
import { fakeServices } from '../fake-services.ts'

const never = new AbortController().signal

function appOn(
  host: string,
  { burst = 1000, publicOrigin = null }: { burst?: number; publicOrigin?: string | null } = {},
) {
  const gate = {
    site: () => ({ listening: { host, port: 4711 }, publicOrigin }),
    credentials: { byToken: async () => null, bySession: async () => null },
    requiresToken: publicOrigin !== null || !isLoopback(host),
    requests: createRateLimit({ burst, perMinute: 60 }),
    guesses: createRateLimit({ burst: 10, perMinute: 6 }),
    now: () => 0,
    addressOf: () => '192.0.2.7',
  }
  return createApp(fakeServices(), gate, {
    labels: null,
    sessions: { begin: async () => null, end: async () => undefined },
    unready: async () => null,
    outboxCounts: async () => ({ pending: 0, failed: 0 }),
    connections: () => ({ open: 0, displaced: 0, refused: 0 }),
    web: null,
    version: '1',
    undoMs: 1,
    figures: createRequestFigures(),
    heartbeatMs: 1000,
    stopping: never,
    log: () => undefined,
    report: () => undefined,
    newId: () => 'id',
    stopwatch: () => 0,
    sleep: async () => undefined,
  })
}

const headers = { host: 'panel.example' }

test('off loopback any host is accepted, and everybody needs a token', async () => {
  const app = appOn('0.0.0.0')
  expect((await app.request('/healthz', { headers })).status).toBe(200)
  expect((await app.request('/v1/monitor', { headers })).status).toBe(401)
})

test('a visitor over plain HTTP from elsewhere reads why signing in is impossible there', async () => {
  const app = appOn('0.0.0.0')
  const signIn = (origin: string) =>
    app.request('/v1/session', {
      method: 'POST',
      headers: { origin, host: new URL(origin).host, 'content-type': 'application/json' },
      body: JSON.stringify({ token: 'any' }),
    })
  const plain = await signIn('http://panel.example')
  expect([plain.status, JSON.parse(await plain.text()).next]).toEqual([403, expect.stringContaining('https')])
  expect((await signIn('https://panel.example')).status).toBe(401)
  expect((await signIn('http://localhost:4711')).status).toBe(401)
})

test('a flood from one address is slowed down', async () => {
  const app = appOn('0.0.0.0', { burst: 5 })
  const statuses = []
  for (let count = 0; count < 7; count++) statuses.push((await app.request('/healthz', { headers })).status)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
})

test('a request without a Host is refused, and an Origin must have the same host', () => {
  const on = (port: number) => ({ listening: { host: '127.0.0.1', port }, publicOrigin: null })
  expect(isOwnHost(undefined, on(4711))).toBe(false)
  expect(isOwnHost('localhost', on(80))).toBe(true)
  const from = (hostHeader: string | undefined) => ({ hostHeader, publicOrigin: null, isForwarded: false })
  expect(isOwnOrigin('https://panel.example', from('panel.example'))).toBe(true)
  expect(isOwnOrigin('https://panel.example:444', from('panel.example'))).toBe(false)
  expect(isOwnOrigin('https://panel.example', from(undefined))).toBe(false)
})

test('with a public URL only its Host and its Origin are accepted, whether the proxy keeps or rewrites Host', async () => {
  const app = appOn('127.0.0.1', { publicOrigin: 'https://panel.example' })
  const post = async (host: string, origin: string, more: Record<string, string> = {}) => {
    const sent = { host, origin, 'content-type': 'application/json', ...more }
    return (await app.request('/v1/session', { method: 'POST', headers: sent, body: '{"token":"any"}' })).status
  }
  // 401: the request was accepted up to its token, which is wrong.
  expect(await post('panel.example', 'https://panel.example')).toBe(401)
  expect(await post('panel.example:443', 'https://panel.example')).toBe(401)
  expect(await post('127.0.0.1:4711', 'https://panel.example')).toBe(401)
  expect(await post('localhost:4711', 'http://localhost:4711')).toBe(401)
  const proxied = { 'x-forwarded-for': '192.0.2.7' }
  for (const [host, origin, more] of [
    ['panel.example', 'http://panel.example'],
    ['panel.example', 'https://panel.example:444'],
    ['panel.example', 'https://evil.example'],
    ['panel.example', 'null'],
    ['panel.example:444', 'https://panel.example'],
    ['evil.example', 'https://panel.example'],
    ['evil.example', 'https://evil.example', { 'x-forwarded-host': 'panel.example' }],
    ['127.0.0.1:4711', 'https://evil.example', { 'x-forwarded-host': 'evil.example' }],
    ['127.0.0.1:4711', 'http://127.0.0.1:4711', proxied],
    ['127.0.0.1:4712', 'https://panel.example'],
  ] as const) {
    expect([host, origin, await post(host, origin, more)]).toEqual([host, origin, 403])
  }
})

test('with a public URL nobody is the local person, even if the proxy does not identify itself', async () => {
  const app = appOn('127.0.0.1', { publicOrigin: 'https://panel.example' })
  for (const host of ['panel.example', '127.0.0.1:4711']) {
    expect([host, (await app.request('/v1/session', { headers: { host } })).status]).toEqual([host, 401])
  }
})
