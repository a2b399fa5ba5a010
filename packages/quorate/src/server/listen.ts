import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Sleep } from '../traffic/traffic.ts'
import type { Listening } from './access/own-address.ts'
import { SECURITY_HEADERS } from './access/security-headers.ts'
import type { AppEnvironment } from './app-parts.ts'
import { type ConnectionCounts, hasBody, limitConnections } from './connections.ts'

export interface Listener {
  readonly listening: Listening
  connections(): ConnectionCounts
  /** Takes no more connections and resolves when every request is answered. */
  close(): Promise<void>
}

export interface ListenOptions extends Listening {
  readonly fetch: (request: Request, bindings: AppEnvironment['Bindings']) => Response | Promise<Response>
  readonly sleep: Sleep
  readonly connectionsPerAddress: number
  /** A proxy at this machine connects for all its clients, and keeps its connections. */
  readonly isBehindProxy: boolean
}

/** A request must be whole by then, a large upload included; other bodies have less (`endSlowBody`). */
const REQUEST_TIMEOUT_MS = 300_000
const HEADERS_TIMEOUT_MS = 10_000
/** How often Node looks for requests that are over time. */
const CHECK_MS = 2000
export const MOST_CONNECTIONS = 3000
/** Longer than proxies keep a connection they do not use (Caddy: two minutes), so that none sends into a closed one. */
const PROXY_KEEP_ALIVE_MS = 130_000
const IDLE_LOOK_MS = 50

/** The address cannot be used: which, why, and what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError'

  constructor(host: string, port: number, cause: NodeJS.ErrnoException) {
    const isTaken = cause.code === 'EADDRINUSE'
    const why = isTaken
      ? 'the port is in use; choose another with --port'
      : `the address cannot be used (${cause.code})`
    super(`cannot listen on ${host}:${port}: ${why}`, { cause })
  }
}

/** Refuses an address that cannot be listened on, before anything is made for a server that could not start. */
export async function checkAddress({ host, port }: Listening): Promise<void> {
  const probe = createServer()
  await bind(probe, { host, port })
  await new Promise<void>((resolve) => probe.close(() => resolve()))
}

/** Port 0: any that is free. */
export async function listen({ fetch, host, port, sleep, ...options }: ListenOptions): Promise<Listener> {
  const { connectionsPerAddress, isBehindProxy } = options
  const times = {
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_MS,
    ...(isBehindProxy && { keepAliveTimeout: PROXY_KEEP_ALIVE_MS }),
  }
  const server = createServer(times, getRequestListener(fetch, { errorHandler: () => unreadable() }))
  const limits = { total: MOST_CONNECTIONS, perAddress: connectionsPerAddress, isBehindProxy }
  const connections = limitConnections(server, limits)
  server.on('request', (request, response) => endSlowBody(request, response, sleep))
  await bind(server, { host, port })
  const silent = silentConnections(server)
  const address = server.address()
  const taken = typeof address === 'object' && address !== null ? address.port : port
  return {
    listening: { host, port: taken },
    connections,
    async close() {
      let isClosed = false
      const closed = new Promise<void>((resolve) => server.close(() => resolve())).then(() => {
        isClosed = true
      })
      // A connection that is kept alive is idle only after its answer.
      while (!isClosed) {
        server.closeIdleConnections()
        for (const socket of silent) socket.destroy()
        await Promise.race([closed, sleep(IDLE_LOOK_MS)])
      }
    },
  }
}

function bind(server: Server, { host, port }: Listening): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(new ListenError(host, port, cause)))
    server.listen(port, bareHost(host), resolve)
  })
}

/** Browsers connect before they ask. To Node a connection that never asked is busy, and nothing ends it after `close`. */
function silentConnections(server: Server): ReadonlySet<Socket> {
  const silent = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  server.on('request', ({ socket }) => silent.delete(socket))
  return silent
}

function bareHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1')
}

/** What is no request at all: it reached no route. */
function unreadable(): Response {
  const body = { type: 'about:blank', title: 'the request cannot be read', status: 400, detail: 'no such address' }
  const headers = { ...SECURITY_HEADERS, 'content-type': 'application/problem+json', 'cache-control': 'no-store' }
  return new Response(JSON.stringify(body), { status: 400, headers })
}

/** The largest JSON body is 1 MB. */
export const BODY_MS = 30_000

/** Debates of a calibration: their time is that of the whole server. */
const UPLOAD = /^\/v1\/certificates(?:[?#]|$)/

/** A body that does not come, or still comes long after its answer, must not keep its connection. */
export function endSlowBody(request: IncomingMessage, response: ServerResponse, sleep: Sleep): void {
  const { url = '', method } = request
  if (!hasBody(request)) return
  const endLater = async () => {
    if (request.complete || request.destroyed) return
    const over = new AbortController()
    // Without a reason an error would be made for each request.
    request.once('close', () => over.abort('over'))
    await sleep(BODY_MS, over.signal)
    if (!over.signal.aborted && !request.complete) request.socket.destroy()
  }
  if (method === 'POST' && UPLOAD.test(url)) response.once('finish', () => void endLater())
  // Most bodies come with their headers: they need no timer.
  else setImmediate(() => void endLater())
}
