import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sessionCookie } from '../../src/server/access/sessions.ts'
import { ask, bearer } from './ask.ts'
import { startTestServer, type TestServer } from './test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ requiresToken: true })
})
afterAll(() => server.stop())
// Guesses of one test must not stand in the way of the next.
afterEach(() => {
  server.clock.now += 3_600_000
})

const signIn = (token: string) => ask(server.port, '/v1/session', { method: 'POST', body: JSON.stringify({ token }) })
const cookieOf = ({ headers }: Awaited<ReturnType<typeof ask>>) => String(headers['set-cookie']?.[0])
const secretOf = (cookie: string) => cookie.split(';')[0] ?? ''
const whoWith = (headers: Readonly<Record<string, string>>) => ask(server.port, '/v1/session', { headers })

describe('a session', () => {
  test('is begun with a token, lives in a cookie that no script reads, and ends', async () => {
    const answer = await signIn(await server.token({ name: 'mira', role: 'reviewer' }))
    expect(answer.json()).toMatchObject({ name: 'mira', role: 'reviewer', kind: 'human', isLocal: false })
    const cookie = cookieOf(answer)
    expect(cookie).toMatch(/^quorate-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800$/)
    const headers = { cookie: secretOf(cookie) }
    expect((await whoWith(headers)).json()).toMatchObject({ name: 'mira' })
    const ended = await ask(server.port, '/v1/session', { method: 'DELETE', headers, body: '{}' })
    expect(ended.status).toBe(204)
    expect(cookieOf(ended)).toContain('Max-Age=0')
    expect((await whoWith(headers)).status).toBe(401)
  })

  test('is kept as a hash', async () => {
    const cookie = cookieOf(await signIn(await server.token({})))
    const secret = secretOf(cookie).split('=')[1] ?? ''
    expect(await server.store.sessions.find(secret)).toBeNull()
  })

  test('is over after its time, and when its token is revoked or expires', async () => {
    const [first, second, third] = [
      await server.token({ name: 'first' }),
      await server.token({ name: 'second' }),
      await server.token({ name: 'third', expiresAt: server.clock.now + 60_000 }),
    ]
    const cookies = await Promise.all(
      [first, second, third].map(async (token) => secretOf(cookieOf(await signIn(token)))),
    )
    const statuses = () => Promise.all(cookies.map(async (cookie) => (await whoWith({ cookie })).status))
    expect(await statuses()).toEqual([200, 200, 200])
    const revoked = (await server.store.tokens.list({ after: null, limit: 100 })).find(({ name }) => name === 'second')
    await server.store.tokens.revoke(revoked?.id ?? '', server.clock.now)
    expect(await statuses()).toEqual([200, 401, 200])
    server.clock.now += 60_000
    expect(await statuses()).toEqual([200, 401, 401])
    server.clock.now += 7 * 86_400_000
    expect(await statuses()).toEqual([401, 401, 401])
  })

  test('has a cookie that only travels encrypted off loopback', () => {
    expect(sessionCookie('secret', { host: '0.0.0.0', maxAge: 60 })).toContain('; Secure')
    expect(sessionCookie('secret', { host: '127.0.0.1', maxAge: 60 })).not.toContain('Secure')
  })
})

describe('a token', () => {
  test('that expired or was revoked is refused from that moment on', async () => {
    const token = await server.token({ name: 'brief', expiresAt: server.clock.now + 1000 })
    expect((await whoWith(bearer(token))).status).toBe(200)
    server.clock.now += 1000
    expect((await whoWith(bearer(token))).status).toBe(401)
    const other = await server.token({ name: 'other' })
    const found = (await server.store.tokens.list({ after: null, limit: 100 })).find(({ name }) => name === 'other')
    expect((await whoWith(bearer(other))).status).toBe(200)
    await server.store.tokens.revoke(found?.id ?? '', server.clock.now)
    expect((await whoWith(bearer(other))).status).toBe(401)
    expect((await signIn(other)).status).toBe(401)
  })

  test('cannot be guessed: after ten wrong ones even the right one has to wait', async () => {
    const token = await server.token({ name: 'right' })
    const statuses: number[] = []
    for (let guess = 0; guess < 14; guess++) statuses.push((await whoWith(bearer(`guess-${guess}`))).status)
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(4).fill(429)])
    const resting = await whoWith(bearer(token))
    expect(resting.status).toBe(429)
    expect(Number(resting.headers['retry-after'])).toBeGreaterThan(0)
    expect(resting.json()).toMatchObject({ status: 429, retryAfterSeconds: Number(resting.headers['retry-after']) })
    expect((await signIn(token)).status).toBe(429)
    server.clock.now += Number(resting.headers['retry-after']) * 1000
    expect((await whoWith(bearer(token))).status).toBe(200)
  })

  test('cannot be guessed by signing in either', async () => {
    const statuses: number[] = []
    for (let guess = 0; guess < 12; guess++) statuses.push((await signIn(`guess-${guess}`)).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
  })

  test('is marked as used, at most once a minute', async () => {
    const token = await server.token({ name: 'used' })
    const lastUsed = async () =>
      (await server.store.tokens.list({ after: null, limit: 100 })).find(({ name }) => name === 'used')?.lastUsedAt
    const first = server.clock.now
    await whoWith(bearer(token))
    // Nobody waits for that write.
    await expect.poll(lastUsed).toBe(first)
    server.clock.now += 30_000
    await whoWith(bearer(token))
    expect(await lastUsed()).toBe(first)
    server.clock.now += 30_000
    await whoWith(bearer(token))
    await expect.poll(lastUsed).toBe(first + 60_000)
  })

  test('never shows up in an answer, a log line or a report', async () => {
    const token = await server.token({ name: 'quiet' })
    const answer = await whoWith(bearer(token))
    const wrong = await whoWith(bearer('a-wrong-token-of-somebody'))
    expect(JSON.stringify([answer, wrong, server.lines, server.reports])).not.toMatch(
      new RegExp(`${token}|a-wrong-token`),
    )
  })
})
