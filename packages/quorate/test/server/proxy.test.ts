import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeBlocks } from '../../../../tools/documents.ts'
import { findProxy, type ProxyName, type RunningProxy, startProxy } from '../../../../tools/proxy.ts'
import { SESSION_KEY_HEADER, signedInSchema } from '../../src/contract/session.ts'
import type { DecisionEvent } from '../../src/server/services.ts'
import { DECISION, fakeServices, VERDICT } from './fake-services.ts'
import { startTestServer, type TestServer } from './test-server.ts'

const HOST = 'quorate.example'
const ORIGIN = `https://${HOST}`

/** The site of the documentation, with another port and certificate and the port of the test's server. */
function documented(name: ProxyName, serverPort: number, hostHeader: 'kept' | 'rewritten') {
  const markdown = readFileSync(join(resolve(import.meta.dirname, '../../../..'), 'docs/http.md'), 'utf8')
  const language = name === 'nginx' ? 'nginx' : 'caddyfile'
  const [block] = codeBlocks(markdown).filter((found) => found.language === language)
  const site = block?.code.replaceAll('127.0.0.1:4711', `127.0.0.1:${serverPort}`) ?? ''
  return ({ port, certificate, key }: { port: number; certificate: string; key: string }) => {
    if (name === 'nginx') {
      const here = site
        .replaceAll('listen 443', `listen 127.0.0.1:${port}`)
        .replaceAll('/etc/ssl/quorate.pem', certificate)
        .replaceAll('/etc/ssl/quorate.key', key)
      return hostHeader === 'kept' ? here : here.replace('proxy_set_header Host $http_host;', '')
    }
    const here = site.replace(`${HOST} {`, `https://${HOST}:${port} {\n  tls ${certificate} ${key}`)
    const rewriting = `reverse_proxy 127.0.0.1:${serverPort} {\n    header_up Host {upstream_hostport}\n  }`
    return hostHeader === 'kept' ? here : here.replace(`reverse_proxy 127.0.0.1:${serverPort}`, rewriting)
  }
}

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Called with everything received so far, whenever more arrives. */
  readonly received?: (text: string) => void
}

/** A request over TLS to the proxy, with any Host header. */
function askProxy(port: number, path: string, { method = 'GET', headers = {}, body, received }: Sent = {}) {
  const type = method === 'GET' ? {} : { 'content-type': 'application/json' }
  const at = { host: '127.0.0.1', port, path, method, agent: false, servername: HOST, rejectUnauthorized: false }
  return new Promise<{ status: number; text: string; cookie: string }>((done, fail) => {
    const sent = request({ ...at, headers: { host: HOST, ...type, ...headers } })
    sent.on('error', fail)
    sent.on('response', (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString()
        received?.(text)
      })
      response.on('error', fail)
      response.on('end', () =>
        done({ status: response.statusCode ?? 0, text, cookie: response.headers['set-cookie']?.join() ?? '' }),
      )
    })
    sent.end(body)
  })
}

for (const name of ['nginx', 'caddy'] as const) {
  const found = findProxy(name)
  if (found.kind === 'absent') process.stderr.write(`skipping the tests behind ${name}: ${found.reason}\n`)
  for (const hostHeader of ['kept', 'rewritten'] as const) {
    describe.skipIf(found.kind === 'absent')(`behind ${name} with the Host header ${hostHeader}`, () => {
      let server: TestServer
      let proxy: RunningProxy
      let token: string
      let goOn = () => {}
      const onceHeard = new Promise<void>((done) => {
        goOn = done
      })

      beforeAll(async () => {
        async function* events(): AsyncGenerator<DecisionEvent> {
          yield { event: 'round', data: { round: 1, verdict: VERDICT } }
          await onceHeard
          yield { event: 'decided', data: DECISION }
        }
        const decisions = { ...fakeServices().decisions, events: async () => events() }
        server = await startTestServer({ publicOrigin: ORIGIN, connectionsPerAddress: 2, services: { decisions } })
        token = await server.token({ name: 'mira', role: 'admin', kind: 'human' })
        const path = found.kind === 'found' ? found.path : ''
        const site = documented(name, server.port, hostHeader)
        proxy = await startProxy(name, { path, hostname: HOST, site })
      })
      afterAll(async () => {
        await proxy.stop()
        await server.stop()
      })

      async function signedIn(): Promise<Readonly<Record<string, string>>> {
        const body = JSON.stringify({ token })
        const answer = await askProxy(proxy.port, '/v1/session', { method: 'POST', headers: { origin: ORIGIN }, body })
        expect(answer.status).toBe(200)
        expect(answer.cookie).toMatch(/^__Host-quorate-session=\S+; Path=\/; HttpOnly; SameSite=Strict; .*Secure$/)
        const { sessionKey } = signedInSchema.parse(JSON.parse(answer.text))
        return { cookie: answer.cookie.split(';', 1)[0] ?? '', [SESSION_KEY_HEADER]: sessionKey }
      }
      const suspend = (headers: Readonly<Record<string, string>>) =>
        askProxy(proxy.port, '/v1/policy/suspend', {
          method: 'POST',
          headers,
          body: JSON.stringify({ note: 'a reason' }),
        })

      test('a person signs in, reads and changes something', async () => {
        const session = await signedIn()
        const read = await askProxy(proxy.port, '/v1/session', { headers: session })
        expect([read.status, JSON.parse(read.text)]).toMatchObject([200, { name: 'mira', isLocal: false }])
        expect((await suspend({ ...session, origin: ORIGIN })).status).toBe(200)
        expect((await suspend({ authorization: `Bearer ${token}` })).status).toBe(200)
      })

      test('events arrive as they happen', async () => {
        const streamed = await askProxy(proxy.port, '/v1/decisions/decision-1/events', {
          headers: { authorization: `Bearer ${token}` },
          // The second event is only sent when the first has come through the proxy.
          received: (text) => text.includes('event: round') && goOn(),
        })
        expect(streamed.status).toBe(200)
        expect(streamed.text).toContain('event: decided')
      })

      test('a page of another site is refused', async () => {
        const session = await signedIn()
        for (const origin of ['https://evil.example', `http://${HOST}`, `${ORIGIN}:444`, 'null']) {
          expect([origin, (await suspend({ ...session, origin })).status]).toEqual([origin, 403])
        }
      })

      test('another Host is refused, by the proxy or by the server', async () => {
        const before = server.lines.length
        const headers = { host: 'evil.example', authorization: `Bearer ${token}` }
        const answer = await askProxy(proxy.port, '/v1/session', { headers })
        expect(answer.text).not.toContain('mira')
        expect(server.lines.slice(before).filter(({ status }) => status !== 403)).toEqual([])
      })

      test('forwarding headers that a client makes up grant nothing', async () => {
        const own = `127.0.0.1:${server.port}`
        const spoofed = {
          'x-forwarded-for': '127.0.0.1',
          'x-forwarded-host': own,
          'x-forwarded-proto': 'http',
          'x-real-ip': '127.0.0.1',
          forwarded: `for=127.0.0.1;host="${own}";proto=http`,
        }
        expect((await askProxy(proxy.port, '/v1/session', { headers: spoofed })).status).toBe(401)
        expect((await suspend({ ...spoofed, origin: `http://${own}` })).status).toBe(403)
        expect((await suspend(spoofed)).status).toBe(401)
      })

      test('wrong tokens are counted for the client, whatever address it claims', async () => {
        const guess = (at: number) =>
          askProxy(proxy.port, '/v1/session', {
            headers: { authorization: 'Bearer wrong', 'x-forwarded-for': `203.0.113.${at}` },
          })
        const statuses = []
        for (let at = 0; at < 12; at++) statuses.push((await guess(at)).status)
        expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
      })

      test('the limit of connections per address does not count the proxy as one client', async () => {
        const headers = { authorization: `Bearer ${token}` }
        const asked = Array.from({ length: 20 }, () => askProxy(proxy.port, '/v1/monitor', { headers }))
        expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 200))
      })
    })
  }
}
