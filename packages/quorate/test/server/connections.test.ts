import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import {
  type ConnectionCounts,
  type ConnectionLimits,
  clientNetwork,
  limitConnections,
} from '../../src/server/connections.ts'
import { ask } from './ask.ts'
import { startTestServer } from './test-server.ts'

const tidy: (() => unknown)[] = []
afterEach(async () => {
  for (const end of tidy.splice(0).reverse()) await end()
})

/** A connection that sends the beginning of a request and no more. */
async function halfOpen(port: number, { from = '127.0.0.1', text = 'GET /healthz HTTP/1.1\r\nhost:' } = {}) {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  socket.on('error', () => {})
  tidy.push(() => socket.destroy())
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

test('3,300 half-open connections of one address keep nobody out, and few of them stay', async () => {
  const perAddress = 512
  const server = await startTestServer({ connectionsPerAddress: perAddress })
  tidy.push(() => server.stop())
  const sockets: Socket[] = []
  for (let at = 0; at < 33; at++) {
    sockets.push(...(await Promise.all(Array.from({ length: 100 }, () => halfOpen(server.port)))))
  }
  // Both are answered although the other connections are still open, to the same address and to another.
  expect((await ask(server.port, '/healthz')).status).toBe(200)
  expect(await statusFrom('127.0.0.2', server.port)).toBe(200)
  const { text } = await ask(server.port, '/metrics')
  const figure = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
  expect(figure('quorate_connections')).toBeLessThanOrEqual(perAddress)
  expect(figure('quorate_connections_closed_total{why="refused"}'.replace(/[{}]/g, '\\$&'))).toBe(0)
  expect(sockets).toHaveLength(3300)
})

async function statusFrom(localAddress: string, port: number): Promise<number> {
  const sent = request({ host: '127.0.0.1', port, path: '/healthz', localAddress, agent: false })
  sent.end()
  const [response] = await once(sent, 'response')
  response.resume()
  return response.statusCode
}

interface World {
  readonly port: number
  readonly counts: () => ConnectionCounts
  /** Received requests without a response yet, by path. */
  readonly unanswered: Map<string, () => void>
  readonly server: Server
}

/** Responds when the test allows it, after reading the body. */
async function world(limits: Partial<ConnectionLimits>): Promise<World> {
  const unanswered = new Map<string, () => void>()
  const server = createServer((incoming, response) => {
    incoming.resume()
    incoming.once('end', () => unanswered.set(incoming.url ?? '', () => response.end('answered')))
  })
  const counts = limitConnections(server, { total: 100, perAddress: 100, isBehindProxy: false, ...limits })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  tidy.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { port, counts, unanswered, server }
}

async function until(check: () => boolean): Promise<void> {
  while (!check()) await new Promise((resolve) => setImmediate(resolve))
}

const whole = (path: string) => `GET ${path} HTTP/1.1\r\nhost: here\r\n\r\n`

test('a connection that waits for us is never displaced; where there is no other, the new one is refused', async () => {
  const { port, counts, unanswered } = await world({ perAddress: 2 })
  const first = await halfOpen(port, { text: whole('/first') })
  const second = await halfOpen(port, { text: whole('/second') })
  await until(() => unanswered.size === 2)
  const third = await halfOpen(port, { text: whole('/third') })
  await once(third, 'close')
  expect(counts()).toEqual({ open: 2, displaced: 0, refused: 1 })
  // After its response it waits for its client, so it can be displaced.
  unanswered.get('/first')?.()
  await once(first, 'data')
  const fourth = await halfOpen(port, { text: whole('/fourth') })
  await once(first, 'close')
  await until(() => unanswered.has('/fourth'))
  expect(counts()).toEqual({ open: 2, displaced: 1, refused: 1 })
  unanswered.get('/second')?.()
  await once(second, 'data')
  expect(fourth.destroyed).toBe(false)
})

test('the one that has waited longest for its client is displaced first, even in the middle of a body', async () => {
  const { port, counts } = await world({ perAddress: 2 })
  const body = await halfOpen(port, { text: 'POST /a HTTP/1.1\r\nhost: here\r\ncontent-length: 9\r\n\r\n{' })
  const headers = await halfOpen(port)
  await until(() => counts().open === 2)
  await halfOpen(port)
  await once(body, 'close')
  await halfOpen(port)
  await once(headers, 'close')
  expect(counts()).toEqual({ open: 2, displaced: 2, refused: 0 })
})

test('one address displaces no other, and at the total the address with the most connections loses one', async () => {
  const { port, counts } = await world({ perAddress: 3, total: 4 })
  const many: Socket[] = []
  for (let at = 0; at < 3; at++) {
    many.push(await halfOpen(port))
    await until(() => counts().open === at + 1)
  }
  const single = await halfOpen(port, { from: '127.0.0.2' })
  await until(() => counts().open === 4)
  await halfOpen(port, { from: '127.0.0.3' })
  await once(many[0] as Socket, 'close')
  expect([single.destroyed, counts()]).toEqual([false, { open: 4, displaced: 1, refused: 0 }])
})

test('a proxy on this machine is limited by the total only; other addresses keep their limit', async () => {
  const { port, counts } = await world({ perAddress: 1, total: 5, isBehindProxy: true })
  for (let at = 0; at < 5; at++) await halfOpen(port)
  await until(() => counts().open === 5)
  const one = await halfOpen(port)
  await until(() => counts().displaced === 1)
  expect([one.destroyed, counts()]).toEqual([false, { open: 5, displaced: 1, refused: 0 }])
})

test('pipelined requests on one connection wait for the server until the last is answered', async () => {
  const { port, counts, unanswered } = await world({ perAddress: 1 })
  const socket = await halfOpen(port, { text: whole('/one') + whole('/two') })
  await until(() => unanswered.size === 2)
  unanswered.get('/one')?.()
  await once(socket, 'data')
  await once(await halfOpen(port), 'close')
  expect(counts()).toEqual({ open: 1, displaced: 0, refused: 1 })
})

test('an IPv6 address counts as its network, because one client usually has the whole', () => {
  expect(clientNetwork('192.0.2.7')).toBe('192.0.2.7')
  expect(clientNetwork('::ffff:192.0.2.7')).toBe('192.0.2.7')
  expect(clientNetwork('::1')).toBe('::1')
  expect(clientNetwork('2001:db8:0:1::1')).toBe('2001:db8:0:1::/64')
  expect(clientNetwork('2001:0DB8:0:1:ffff:2:3:4')).toBe('2001:db8:0:1::/64')
  expect(clientNetwork('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
})
