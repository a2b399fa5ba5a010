import { expect, test } from 'vitest'
import { isLoopback, isOwnHost, isOwnOrigin } from '../../../src/server/access/own-address.ts'
import { createRateLimit } from '../../../src/server/access/rate-limit.ts'
import { createApp } from '../../../src/server/create-app.ts'
import { createRequestFigures } from '../../../src/server/request-figures.ts'
import { fakeServices } from '../fake-services.ts'

const never = new AbortController().signal

function appOn(host: string, burst = 1000) {
  const gate = {
    listening: () => ({ host, port: 4711 }),
    credentials: { byToken: async () => null, bySession: async () => null },
    requiresToken: !isLoopback(host),
    requests: createRateLimit({ burst, perMinute: 60 }),
    guesses: createRateLimit({ burst: 10, perMinute: 6 }),
    now: () => 0,
    addressOf: () => '192.0.2.7',
  }
  return createApp(fakeServices(), gate, {
    sessions: { begin: async () => null, end: async () => undefined },
    unready: async () => null,
    outboxCounts: async () => ({ pending: 0, failed: 0 }),
    ...{ web: null, version: '1', undoMs: 1, figures: createRequestFigures(), heartbeatMs: 1000, stopping: never },
    ...{ log: () => undefined, report: () => undefined, newId: () => 'id', stopwatch: () => 0 },
    sleep: async () => undefined,
  })
}

const headers = { host: 'panel.example' }

test('off loopback any host is taken, and everybody needs a token', async () => {
  const app = appOn('0.0.0.0')
  expect((await app.request('/healthz', { headers })).status).toBe(200)
  expect((await app.request('/v1/monitor', { headers })).status).toBe(401)
})

test('who opens the app over plain HTTP from elsewhere is told why nobody can sign in there', async () => {
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
  const app = appOn('0.0.0.0', 5)
  const statuses = []
  for (let count = 0; count < 7; count++) statuses.push((await app.request('/healthz', { headers })).status)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
})

test('only addresses of this machine are loopback', () => {
  for (const host of ['127.0.0.1', '127.8.9.1', 'localhost', '::1', '[::1]']) expect(isLoopback(host)).toBe(true)
  for (const host of ['0.0.0.0', '::', '128.0.0.1', '127.0.0.1.example', 'localhost.example', '']) {
    expect(isLoopback(host)).toBe(false)
  }
})

test('without a Host nobody comes in, and an Origin needs the same host', () => {
  expect(isOwnHost(undefined, { host: '127.0.0.1', port: 4711 })).toBe(false)
  expect(isOwnHost('localhost', { host: '127.0.0.1', port: 80 })).toBe(true)
  expect(isOwnOrigin('https://panel.example', 'panel.example')).toBe(true)
  expect(isOwnOrigin('https://panel.example:444', 'panel.example')).toBe(false)
  expect(isOwnOrigin('https://panel.example', undefined)).toBe(false)
})
