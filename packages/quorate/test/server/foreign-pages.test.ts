import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, bearer } from './ask.ts'
import { startTestServer, type TestServer } from './test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const suspend = (headers: Readonly<Record<string, string>>) =>
  ask(server.port, '/v1/policy/suspend', { method: 'POST', body: JSON.stringify({ note: 'a reason' }), headers })

test('a name that was pointed at this machine (DNS rebinding) is refused everywhere', async () => {
  const port = server.port
  const hosts = [
    `evil.example:${port}`,
    'evil.example',
    `127.0.0.1.evil.example:${port}`,
    `localhost.evil.example:${port}`,
    `127.0.0.1:${port + 1}`,
    `localhost:${port}@evil.example`,
    '127.0.0.1',
  ]
  for (const host of hosts) {
    for (const path of ['/', '/v1/session', '/healthz', '/openapi.json', '/docs', '/nothing']) {
      const { status, text } = await ask(port, path, { headers: { host } })
      expect({ host, path, isRefused: status === 403 || status === 400 }).toEqual({ host, path, isRefused: true })
      expect(text).not.toContain('"name":"local"')
    }
  }
})

test('the names that only this machine has are taken', async () => {
  for (const name of ['localhost', '127.0.0.1', '[::1]', 'LOCALHOST']) {
    const { status } = await ask(server.port, '/v1/session', { headers: { host: `${name}:${server.port}` } })
    expect({ name, status }).toEqual({ name, status: 200 })
  }
})

test('a page of another site cannot change anything', async () => {
  for (const origin of [
    'https://evil.example',
    'null',
    `http://localhost:${server.port + 1}`,
    `http://evil.example:${server.port}`,
    `http://127.0.0.1:${server.port}.evil.example`,
    'file://',
    `ftp://127.0.0.1:${server.port}`,
  ]) {
    const { status } = await suspend({ origin })
    expect({ origin, status }).toEqual({ origin, status: 403 })
  }
})

test('our own page and a program can', async () => {
  expect((await suspend({ origin: `http://127.0.0.1:${server.port}` })).status).toBe(200)
  expect((await suspend({})).status).toBe(200)
})

test('a form, which any page may send, is refused', async () => {
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain', '']) {
    const { status } = await suspend({ 'content-type': type })
    expect({ type, status }).toEqual({ type, status: 415 })
  }
})

test('a page of another site cannot make us work by reading either', async () => {
  for (const site of ['cross-site', 'same-site']) {
    const { status } = await ask(server.port, '/v1/evaluate', { headers: { 'sec-fetch-site': site } })
    expect({ site, status }).toEqual({ site, status: 403 })
  }
  expect((await ask(server.port, '/v1/evaluate', { headers: { 'sec-fetch-site': 'same-origin' } })).status).toBe(200)
})

test('every answer has the content security policy and its companions, errors too', async () => {
  for (const [path, headers] of [
    ['/', {}],
    ['/healthz', {}],
    ['/v1/monitor', {}],
    ['/v1/debates?limit=0', {}],
    ['/docs', {}],
    ['/docs.css', {}],
    ['/nothing', {}],
    ['/v1/decisions/decision-1/events', {}],
    ['/v1/session', { authorization: 'Bearer wrong' }],
    ['/healthz', { host: 'evil.example' }],
    ['/%5c..%5c', {}],
    ['/\\..\\', {}],
  ] as const) {
    const answer = await ask(server.port, path, { headers })
    const policy = String(answer.headers['content-security-policy'])
    expect({ path, policy }).toEqual({ path, policy: expect.stringContaining("default-src 'none'; script-src 'self'") })
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    expect(answer.headers['referrer-policy']).toBe('no-referrer')
  }
})

test('what a proxy forwards is never the local person, also where it sets our own Host', async () => {
  const token = await server.token({ name: 'through-a-proxy' })
  const headers = [
    ['x-forwarded-for', '192.0.2.7'],
    ['x-forwarded-proto', 'https'],
    ['X-Real-IP', '192.0.2.7'],
    ['forwarded', 'for=192.0.2.7'],
    ['via', '1.1 proxy'],
  ] as const
  for (const [name, value] of headers) {
    const answer = await ask(server.port, '/v1/session', { headers: { [name]: value } })
    expect([name, answer.status]).toEqual([name, 401])
    expect(answer.json()).toMatchObject({ detail: expect.stringContaining('--require-token') })
    const suspension = { method: 'POST', headers: { [name]: value }, body: JSON.stringify({ note: 'not I' }) }
    expect((await ask(server.port, '/v1/policy/suspend', suspension)).status).toBe(401)
    const known = await ask(server.port, '/v1/session', { headers: { [name]: value, ...bearer(token) } })
    expect(known.json()).toMatchObject({ name: 'through-a-proxy' })
  }
})
