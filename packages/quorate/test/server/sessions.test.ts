import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { SESSION_KEY_HEADER, signedInSchema } from '../../src/contract/session.ts'
import { sessionCookie } from '../../src/server/access/session-cookie.ts'
import { ask, bearer } from './ask.ts'
import { startTestServer, type TestServer } from './test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ requiresToken: true })
})
afterAll(() => server.stop())
// Guesses of one test must not delay the next.
afterEach(() => {
  server.clock.now += 3_600_000
})

const signIn = (token: string) => ask(server.port, '/v1/session', { method: 'POST', body: JSON.stringify({ token }) })
const cookieOf = ({ headers }: Awaited<ReturnType<typeof ask>>) => String(headers['set-cookie']?.[0])
const secretOf = (cookie: string) => cookie.split(';')[0] ?? ''
/** Both halves of a session: what the browser sends, and what the page adds. */
const sessionOf = (answer: Awaited<ReturnType<typeof ask>>) => ({
  cookie: secretOf(cookieOf(answer)),
  [SESSION_KEY_HEADER]: signedInSchema.parse(answer.json()).sessionKey,
})
const whoWith = (headers: Readonly<Record<string, string>>) => ask(server.port, '/v1/session', { headers })

describe('a session', () => {
  test('is begun with a token, lives in a cookie that no script reads, and ends', async () => {
    const answer = await signIn(await server.token({ name: 'mira', role: 'reviewer' }))
    expect(answer.json()).toMatchObject({ name: 'mira', role: 'reviewer', kind: 'human', isLocal: false })
    const cookie = cookieOf(answer)
    expect(cookie).toMatch(/^quorate-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800$/)
    const headers = sessionOf(answer)
    expect((await whoWith(headers)).json()).toMatchObject({ name: 'mira' })
    const ended = await ask(server.port, '/v1/session', { method: 'DELETE', headers, body: '{}' })
    expect(ended.status).toBe(204)
    expect(cookieOf(ended)).toContain('Max-Age=0')
    expect((await whoWith(headers)).status).toBe(401)
  })

  test('is stored as a hash', async () => {
    const answer = await signIn(await server.token({}))
    const { cookie, [SESSION_KEY_HEADER]: key } = sessionOf(answer)
    const secret = cookie.split('=')[1] ?? ''
    for (const text of [secret, key ?? '', `${secret}.${key}`])
      expect(await server.store.sessions.find(text)).toBeNull()
  })

  test('is invalid without the key that the page stores: other ports receive the cookie, and can set one', async () => {
    const boss = sessionOf(await signIn(await server.token({ name: 'boss', role: 'admin' })))
    const mallory = sessionOf(await signIn(await server.token({ name: 'mallory', role: 'reviewer' })))
    const stolen = await whoWith({ cookie: boss.cookie })
    expect([stolen.status, stolen.headers['set-cookie']]).toEqual([401, undefined])
    expect((await whoWith({ ...boss, cookie: mallory.cookie })).status).toBe(401)
    expect((await whoWith({ ...mallory, cookie: boss.cookie })).status).toBe(401)
    expect((await whoWith({ [SESSION_KEY_HEADER]: boss[SESSION_KEY_HEADER] ?? '' })).status).toBe(401)
    expect((await whoWith(boss)).json()).toMatchObject({ name: 'boss' })
  })

  test('is refused if several cookies have its name, whichever is first', async () => {
    const own = sessionOf(await signIn(await server.token({ name: 'twice' })))
    for (const cookie of [`${own.cookie}; quorate-session=other`, `quorate-session=other; ${own.cookie}`]) {
      const answer = await whoWith({ ...own, cookie })
      expect(answer.status).toBe(401)
      expect(answer.json()).toMatchObject({ detail: expect.stringContaining('several session cookies') })
    }
    expect((await whoWith({ ...own, cookie: `theme=dark; ${own.cookie}` })).status).toBe(200)
  })

  test('that has expired is cleared, is no guess, and locks nobody out', async () => {
    const token = await server.token({ name: 'gone' })
    const old = sessionOf(await signIn(token))
    const found = (await server.store.tokens.list({ after: null, limit: 100 })).find(({ name }) => name === 'gone')
    await server.store.tokens.revoke(found?.id ?? '', server.clock.now)
    for (let look = 0; look < 15; look++) {
      const answer = await whoWith(old)
      expect(answer.status).toBe(401)
      expect(cookieOf(answer)).toMatch(/^quorate-session=; .*Max-Age=0$/)
    }
    expect((await whoWith(bearer('wrong'))).status).toBe(401)
  })

  test('ends after its time, and when its token is revoked or expires', async () => {
    const [first, second, third] = [
      await server.token({ name: 'first' }),
      await server.token({ name: 'second' }),
      await server.token({ name: 'third', expiresAt: server.clock.now + 60_000 }),
    ]
    const begun = await Promise.all([first, second, third].map(async (token) => sessionOf(await signIn(token))))
    const statuses = () => Promise.all(begun.map(async (session) => (await whoWith(session)).status))
    expect(await statuses()).toEqual([200, 200, 200])
    const revoked = (await server.store.tokens.list({ after: null, limit: 100 })).find(({ name }) => name === 'second')
    await server.store.tokens.revoke(revoked?.id ?? '', server.clock.now)
    expect(await statuses()).toEqual([200, 401, 200])
    server.clock.now += 60_000
    expect(await statuses()).toEqual([200, 401, 401])
    server.clock.now += 7 * 86_400_000
    expect(await statuses()).toEqual([401, 401, 401])
  })

  test('has a cookie that is only sent encrypted if the app is reached over TLS', () => {
    expect(sessionCookie('secret', { isSecure: true, maxAge: 60 })).toMatch(
      /^__Host-quorate-session=secret; Path=\/; .*; Secure$/,
    )
    expect(sessionCookie('secret', { isSecure: false, maxAge: 60 })).not.toContain('Secure')
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

  test('cannot be guessed: after ten wrong ones every further one has to wait, and the right one never does', async () => {
    const token = await server.token({ name: 'right' })
    const session = sessionOf(await signIn(token))
    const guess = (number: number) => whoWith(bearer(`guess-${number}`))
    const statuses: number[] = []
    for (let number = 0; number < 14; number++) statuses.push((await guess(number)).status)
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(4).fill(429)])
    const resting = await guess(14)
    expect(Number(resting.headers['retry-after'])).toBeGreaterThan(0)
    expect(resting.json()).toMatchObject({ status: 429, retryAfterSeconds: Number(resting.headers['retry-after']) })
    // Behind a proxy all clients have one address, so a guesser must not lock out the others.
    expect((await whoWith(bearer(token))).status).toBe(200)
    expect((await whoWith(session)).status).toBe(200)
    expect((await signIn(token)).status).toBe(200)
    expect((await guess(15)).status).toBe(429)
    server.clock.now += Number(resting.headers['retry-after']) * 1000
    expect([(await guess(16)).status, (await guess(17)).status]).toEqual([401, 429])
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
    // No request waits for that write.
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
