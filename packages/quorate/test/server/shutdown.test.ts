import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { BODY_MS, ListenError, listen } from '../../src/server/listen.ts'
import { timerSleep } from '../../src/traffic/timer-sleep.ts'
import { ask } from './ask.ts'
import { DECISION, fakeServices } from './fake-services.ts'
import { startTestServer } from './test-server.ts'

function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

test('requests in flight are answered, new ones are not taken, and what is paid for is waited for', async () => {
  const [reached, release, paid] = [gate(), gate(), gate()]
  const order: string[] = []
  const server = await startTestServer({
    services: {
      async audit() {
        reached.open()
        await release.opened
        order.push('answered')
        return { audit: null, missing: null, at: 0 }
      },
      async stop() {
        order.push('stopping services')
        await paid.opened
        order.push('paid calls stored')
      },
    },
  })
  const asked = ask(server.port, '/v1/audit')
  await reached.opened
  const stopped = server.stop().then(() => order.push('stopped'))
  await expect(ask(server.port, '/healthz')).rejects.toThrow(/ECONNREFUSED|ECONNRESET|socket hang up/)
  release.open()
  expect((await asked).status).toBe(200)
  paid.open()
  await stopped
  expect(order).toEqual(['answered', 'stopping services', 'paid calls stored', 'stopped'])
})

test('a connection that is kept alive does not delay the shutdown', async () => {
  const server = await startTestServer()
  const response = await fetch(`http://127.0.0.1:${server.port}/healthz`, { headers: { connection: 'keep-alive' } })
  await response.text()
  await server.stop()
})

test('a connection that never asked does not delay the shutdown', async () => {
  const server = await startTestServer()
  const [silent, slow] = [connect(server.port, '127.0.0.1'), connect(server.port, '127.0.0.1')]
  for (const socket of [silent, slow]) socket.on('error', () => {})
  await Promise.all([once(silent, 'connect'), once(slow, 'connect')])
  slow.write('GET /healthz HTTP/1.1\r\n')
  await (await fetch(`http://127.0.0.1:${server.port}/healthz`)).text()
  await server.stop()
})

test('who waits for a decision is answered when the server ends', async () => {
  const { decisions } = fakeServices()
  const reached = gate()
  const server = await startTestServer({
    services: {
      decisions: {
        ...decisions,
        async find(_id, { waitMs, signal }) {
          expect(waitMs).toBe(30_000)
          reached.open()
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
          return { ...DECISION, status: 'running', decision: null }
        },
      },
    },
  })
  const asked = ask(server.port, '/v1/decisions/decision-1?wait=30')
  await reached.opened
  await server.stop()
  expect((await asked).json()).toMatchObject({ status: 'running' })
})

test('a port in use is reported with the next step, and nothing stays behind', async () => {
  const server = await startTestServer()
  let hasStopped = false
  const second = startTestServer({
    port: server.port,
    store: server.store,
    services: {
      async stop() {
        hasStopped = true
      },
    },
  })
  await expect(second).rejects.toThrow(ListenError)
  await expect(second).rejects.toThrow(/Choose another with --port/)
  expect(hasStopped).toBe(true)
  await server.stop()
})

test('readyz says no when the store does not answer', async () => {
  const server = await startTestServer()
  expect((await ask(server.port, '/readyz')).status).toBe(200)
  await server.store.close()
  expect((await ask(server.port, '/readyz')).status).toBe(503)
  expect((await ask(server.port, '/healthz')).status).toBe(200)
  await server.stop().catch(() => undefined)
})

test('a body that does not come, or goes on after its answer, does not keep its connection', async () => {
  const due = gate()
  const sleep = (ms: number, signal?: AbortSignal) => (ms === BODY_MS ? due.opened : timerSleep(ms, signal))
  const fetch = async (request: Request) =>
    request.url.endsWith('/v1/certificates')
      ? new Response('refused', { status: 401 })
      : new Response(await request.text())
  const listener = await listen({
    fetch,
    host: '127.0.0.1',
    port: 0,
    sleep,
    connectionsPerAddress: 512,
    isBehindProxy: false,
  })
  const { port } = listener.listening
  const begin = (path: string) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(`POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-length: 1000\r\n\r\n{`)
    return socket
  }
  const [slow, upload] = [begin('/v1/decisions'), begin('/v1/certificates')]
  const [answer] = await once(upload, 'data')
  expect(String(answer)).toContain('401')
  const closed = Promise.all([once(slow, 'close'), once(upload, 'close')])
  due.open()
  await closed
  await listener.close()
})
