import { get, type IncomingMessage } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import type { DecisionEvent } from '../../src/server/services.ts'
import { ask } from './ask.ts'
import { DECISION, fakeServices, VERDICT } from './fake-services.ts'
import { startTestServer, type TestServer } from './test-server.ts'

let server: TestServer | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})

const PATH = '/v1/decisions/decision-1/events'

/** Events that a test emits when it wants; `gone` resolves when nobody listens any more. */
function pushed() {
  const queue: DecisionEvent[] = []
  let wake = () => {}
  let left = () => {}
  const gone = new Promise<void>((resolve) => {
    left = resolve
  })
  async function* events(signal: AbortSignal): AsyncGenerator<DecisionEvent> {
    try {
      while (!signal.aborted) {
        const next = queue.shift()
        if (next !== undefined) yield next
        else
          await new Promise<void>((resolve) => {
            wake = resolve
            signal.addEventListener('abort', () => resolve(), { once: true })
          })
      }
    } finally {
      left()
    }
  }
  const push = (event: DecisionEvent) => {
    queue.push(event)
    wake()
  }
  return { push, gone, events }
}

async function serve(source: ReturnType<typeof pushed>): Promise<TestServer> {
  const { decisions } = fakeServices()
  server = await startTestServer({
    services: { decisions: { ...decisions, events: async (_id, signal) => source.events(signal) } },
  })
  return server
}

function open(port: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: PATH, agent: false }, resolve).on('error', reject)
  })
}

test('rounds arrive as events, and the stream ends after the decision', async () => {
  server = await startTestServer()
  const { status, headers, text } = await ask(server.port, PATH)
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('text/event-stream')
  expect(headers['cache-control']).toBe('no-store')
  const events = [...text.matchAll(/^event: (\w+)\ndata: (.*)\n\n/gm)].map(([, event, data]) => [
    event,
    JSON.parse(data ?? ''),
  ])
  expect(events).toEqual([
    ['round', { round: 1, verdict: VERDICT }],
    ['decided', DECISION],
  ])
})

test('the headers arrive at once, before the first round', async () => {
  const source = pushed()
  const { port } = await serve(source)
  const response = await open(port)
  expect(response.statusCode).toBe(200)
  const first = new Promise<string>((resolve) => response.once('data', (chunk: Buffer) => resolve(chunk.toString())))
  expect(await first).toMatch(/^: /)
  const round = new Promise<string>((resolve) => response.once('data', (chunk: Buffer) => resolve(chunk.toString())))
  source.push({ event: 'round', data: { round: 1, verdict: VERDICT } })
  expect(await round).toContain('event: round')
  response.destroy()
})

test('the source of events stops when the client disconnects', async () => {
  const source = pushed()
  const { port } = await serve(source)
  const response = await open(port)
  response.destroy()
  await source.gone
})

test('200 streams at once each get every event', async () => {
  const sources: ReturnType<typeof pushed>[] = []
  const { decisions } = fakeServices()
  const started = await startTestServer({
    services: {
      decisions: {
        ...decisions,
        async events(_id, signal) {
          const source = pushed()
          sources.push(source)
          return source.events(signal)
        },
      },
    },
  })
  server = started
  const asked = Array.from({ length: 200 }, () => ask(started.port, PATH))
  while (sources.length < 200) await new Promise((resolve) => setImmediate(resolve))
  for (const { push } of sources) {
    push({ event: 'round', data: { round: 1, verdict: VERDICT } })
    push({ event: 'decided', data: DECISION })
  }
  const texts = (await Promise.all(asked)).map(({ text }) => text)
  expect(texts.every((text) => text.includes('event: round') && text.includes('event: decided'))).toBe(true)
})

test('a stream ends when the server does, and the server waits for nobody', async () => {
  const source = pushed()
  const started = await serve(source)
  const response = await open(started.port)
  const ended = new Promise<void>((resolve) => response.once('end', () => resolve()))
  response.resume()
  await started.stop()
  server = undefined
  await Promise.all([ended, source.gone])
})

test('HEAD opens no stream, and what there is not is 404', async () => {
  server = await startTestServer()
  const head = await ask(server.port, PATH, { method: 'HEAD' })
  expect([head.status, head.headers['content-type'], head.text]).toEqual([200, 'text/event-stream', ''])
  expect((await ask(server.port, '/v1/decisions/other/events')).status).toBe(404)
})

test('without a token there is no stream where one is needed', async () => {
  server = await startTestServer({ requiresToken: true })
  const { status, headers } = await ask(server.port, PATH)
  expect([status, headers['content-type']]).toEqual([401, 'application/problem+json'])
  // EventSource cannot send a header, and a token in the address would be in every log.
  const token = await server.token({})
  expect((await ask(server.port, `${PATH}?token=${token}&access_token=${token}`)).status).toBe(401)
})
