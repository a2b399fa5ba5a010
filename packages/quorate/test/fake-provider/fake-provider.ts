import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type FakeBatches, fakeBatches } from './batches.ts'
import { type Counts, createCounter, type LoggedRequest, type RequestCount } from './counts.ts'
import { drawFault, FAULTS, type Fault } from './faults.ts'
import { type Answer, type Chat, type Format, formatOf, tokensOf } from './formats.ts'
import { inForm } from './in-form.ts'
import { taggedReplies, withoutTags } from './reply-tag.ts'

export interface FakeProviderOptions {
  readonly port?: number
  readonly seed?: number
  /** Share of the requests that meet a fault. */
  readonly faultRate?: number
  readonly faults?: readonly Fault[]
  readonly latencyMs?: number
  /** The latency of a request is at most half of this above or below `latencyMs`. It follows from the request. */
  readonly latencySpreadMs?: number
  /** An answer is sent when this resolves. */
  readonly beforeAnswer?: (serial: number) => Promise<void>
  /** Headers of a `rate-limit-retry-after`. */
  readonly retryAfter?: Readonly<Record<string, string>>
  /** What it says; a letter from A to D that follows from the request unless told. */
  readonly answer?: (
    chat: Chat,
    serial: number,
  ) => string | { readonly text: string; readonly finish: Answer['finish'] }
  /** The same question under another seed, as after a blank reply, is the same request. */
  readonly ignoresSeed?: boolean
  /** Repeats the caller's key in every error, as careless servers do. */
  readonly echoesKey?: boolean
}

export interface FakeProvider {
  /** Without a path; OpenAI's `baseURL` is this and `/v1`. */
  readonly url: string
  /** The next request meets this, whatever the seed says: a fault, or a status with headers. */
  next(fault: Fault | Refusal): void
  counts(): Counts
  byRequest(): ReadonlyMap<string, RequestCount>
  /** Every request, in the order of arrival. */
  log(): readonly LoggedRequest[]
  /** Resolves when so many requests have arrived. */
  reached(requests: number): Promise<void>
  /** What was sent in batches. */
  readonly batches: FakeBatches
  /** Headers of the last request. */
  lastHeaders(): Readonly<Record<string, string | string[] | undefined>>
  lastBody(): unknown
  close(): Promise<void>
}

export interface Refusal {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly message?: string
}

/** A provider on loopback that speaks three formats, fails as it is told and counts what it would charge. */
export async function startFakeProvider(options: FakeProviderOptions = {}): Promise<FakeProvider> {
  const counter = createCounter()
  const planned: (Fault | Refusal)[] = []
  let last: { headers: IncomingMessage['headers']; body: unknown } = { headers: {}, body: null }
  const server = createServer((request, response) => {
    // A request for the counts is no call.
    if (request.method === 'POST') {
      counter.opened()
      response.on('close', () => counter.closed())
    }
    void handle(request, response)
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (await batches.handle(request, response, () => bytesOf(request))) return
    const format = formatOf(request.url ?? '')
    if (format === null) {
      const isCounts = request.method === 'GET' && request.url === '/counts'
      sendJson(response, isCounts ? 200 : 404, isCounts ? counter.counts() : { error: { message: 'not here' } })
      return
    }
    const text = await bodyOf(request)
    const body: unknown = JSON.parse(text)
    last = { headers: request.headers, body }
    const chat = format.readChat(body, request.url ?? '')
    const asked = options.ignoresSeed === true ? text.replace(/"seed":\d+,?/, '') : text
    const key = createHash('sha256').update(withoutTags(asked)).digest('hex')
    const { serial, seen } = counter.arrived({ key, model: chat.model, quoted: taggedReplies(chat.text) })
    const exchange = { request, response, format, answer: answerTo(chat, { key, serial }, options) }
    const plan = planned.shift()
    if (typeof plan === 'object') {
      refuse(exchange, plan, options)
      return
    }
    const fault = plan ?? faultFor(key, seen)
    await options.beforeAnswer?.(serial)
    const latencyMs = latencyOf(key, options)
    if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs))
    counter.ended(serial, fault ?? (response.destroyed ? 'gone' : 'answered'), exchange.answer)
    if (!response.destroyed) perform(exchange, fault, options)
  }

  const batches = fakeBatches((path, body) => {
    const format = formatOf(path)
    if (format === null) return { status: 404, body: { error: { message: 'not here' } } }
    const chat = format.readChat(body, path)
    const key = createHash('sha256')
      .update(withoutTags(JSON.stringify(body)))
      .digest('hex')
    const { serial } = counter.arrived({ key, model: chat.model, quoted: taggedReplies(chat.text) })
    const answer = answerTo(chat, { key, serial }, options)
    counter.ended(serial, 'answered', answer)
    return { status: 200, body: format.write(answer) }
  })

  function faultFor(key: string, seen: number): Fault | null {
    const { seed = 0, faultRate: rate = 0, faults = FAULTS } = options
    return rate === 0 ? null : drawFault({ seed, rate, key, seen, faults })
  }

  server.keepAliveTimeout = 60_000
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    next: (fault) => planned.push(fault),
    counts: counter.counts,
    byRequest: counter.byRequest,
    log: counter.log,
    reached: counter.reached,
    batches,
    lastHeaders: () => last.headers,
    lastBody: () => last.body,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function latencyOf(key: string, { latencyMs = 0, latencySpreadMs = 0 }: FakeProviderOptions): number {
  const uniform = Number.parseInt(key.slice(8, 16), 16) / 2 ** 32
  return latencyMs + (uniform - 0.5) * latencySpreadMs
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly format: Format
  readonly answer: Answer
}

function answerTo(
  chat: Chat,
  { key, serial }: { readonly key: string; readonly serial: number },
  { answer }: FakeProviderOptions,
): Answer {
  const given = answer?.(chat, serial) ?? plainAnswer(chat, key)
  const { text, finish } = typeof given === 'string' ? { text: given, finish: 'stop' as const } : given
  return {
    id: `fake-${key.slice(0, 12)}`,
    model: chat.model,
    text,
    finish,
    inputTokens: tokensOf(chat.text).length,
    outputTokens: tokensOf(text).length,
    top: chat.top,
  }
}

function plainAnswer({ text, isStructured }: Chat, key: string): string {
  const number = Number.parseInt(key.slice(0, 8), 16)
  return inForm(text, { answer: 'ABCD'[number % 4], confidence: 50 + (number % 50) }, isStructured)
}

function perform(exchange: Exchange, fault: Fault | null, options: FakeProviderOptions): void {
  const { response, format, answer } = exchange
  if (fault === null) sendJson(response, 200, format.write(answer))
  else FAILURES[fault](exchange, options)
}

const FAILURES: Readonly<Record<Fault, (exchange: Exchange, options: FakeProviderOptions) => void>> = {
  'rate-limit': (exchange, options) => refuse(exchange, { status: 429 }, options),
  'rate-limit-retry-after': (exchange, options) =>
    refuse(exchange, { status: 429, headers: options.retryAfter ?? { 'retry-after-ms': '20' } }, options),
  'server-error': (exchange, options) => refuse(exchange, { status: 500 }, options),
  overloaded: (exchange, options) => refuse(exchange, { status: 529 }, options),
  reset: ({ request }) => request.socket.resetAndDestroy(),
  hang: () => undefined,
  malformed: ({ response, format, answer }) =>
    sendText(response, 200, `${JSON.stringify(format.write(answer)).slice(0, 20)}{{{`),
  truncated({ request, response, format, answer }) {
    const whole = JSON.stringify(format.write(answer))
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(whole) })
    response.write(whole.slice(0, whole.length / 2), () => request.socket.destroy())
  },
  empty: ({ response, format, answer }) => sendJson(response, 200, format.write({ ...answer, text: '' })),
}

function refuse({ request, response, format }: Exchange, refusal: Refusal, { echoesKey }: FakeProviderOptions): void {
  const { authorization, 'x-api-key': key } = request.headers
  const echo = echoesKey ? ` (you sent ${authorization ?? ''} ${key ?? ''})` : ''
  const message = `${refusal.message ?? 'not now'}${echo}`
  sendJson(response, refusal.status, format.writeError({ status: refusal.status, message }), refusal.headers)
}

function sendJson(response: ServerResponse, status: number, value: unknown, headers = {}): void {
  sendText(response, status, JSON.stringify(value), headers)
}

function sendText(response: ServerResponse, status: number, text: string, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(text)
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  return (await bytesOf(request)).toString()
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}
