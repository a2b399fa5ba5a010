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
  /** Accepts no more connections and resolves when every request is answered. */
  close(): Promise<void>
}

export interface ListenOptions extends Listening {
  readonly fetch: (request: Request, bindings: AppEnvironment['Bindings']) => Response | Promise<Response>
  readonly sleep: Sleep
  readonly connectionsPerAddress: number
  /** A proxy on this machine connects for all its clients, and keeps its connections open. */
  readonly isBehindProxy: boolean
}

/** Limit for receiving a whole request, including a large upload. Other bodies have less time (`endSlowBody`). */
const REQUEST_TIMEOUT_MS = 300_000
const HEADERS_TIMEOUT_MS = 10_000
/** How often Node checks for requests over their time limit. */
const CHECK_MS = 2000
const MOST_CONNECTIONS = 3000
/** Longer than proxies keep an idle connection (Caddy: two minutes), so that none sends into a closed one. */
const PROXY_KEEP_ALIVE_MS = 130_000
const IDLE_POLL_MS = 50

/** The address cannot be used. The message says which, why, and what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError'

  constructor(host: string, port: number, cause: NodeJS.ErrnoException) {
    const isTaken = cause.code === 'EADDRINUSE'
    const why = isTaken
      ? 'the port is in use. Choose another with --port'
      : `the address cannot be used (${cause.code})`
    super(`cannot listen on ${host}:${port}: ${why}`, { cause })
  }
}

/** Throws a ListenError if the address cannot be used, before anything is created for a server that could not start. */
export async function checkAddress({ host, port }: Listening): Promise<void> {
  const probe = createServer()
  await bind(probe, { host, port })
  await new Promise<void>((resolve) => probe.close(() => resolve()))
}

/** Port 0 means any free port. */
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
      // A connection with keep-alive becomes idle only after its response, so this checks repeatedly.
      while (!isClosed) {
        server.closeIdleConnections()
        for (const socket of silent) socket.destroy()
        await Promise.race([closed, sleep(IDLE_POLL_MS)])
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

/**
 * Connections without a request. Browsers open them in advance. Node considers them busy, so nothing would close them after
 * `close`.
 */
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

/** The response to something that is not a valid request and so reaches no route. */
function unreadable(): Response {
  const body = { type: 'about:blank', title: 'the request cannot be read', status: 400, detail: 'no such address' }
  const headers = { ...SECURITY_HEADERS, 'content-type': 'application/problem+json', 'cache-control': 'no-store' }
  return new Response(JSON.stringify(body), { status: 400, headers })
}

/** Time to receive a body. The largest JSON body is 1 MB. */
export const BODY_MS = 30_000

/** The upload of calibration debates, which may take REQUEST_TIMEOUT_MS. */
const UPLOAD = /^\/v1\/certificates(?:[?#]|$)/

/** Closes the connection of a body that does not arrive, or is still arriving long after its response. */
function endSlowBody(request: IncomingMessage, response: ServerResponse, sleep: Sleep): void {
  const { url = '', method } = request
  if (!hasBody(request)) return
  const endLater = async () => {
    if (request.complete || request.destroyed) return
    const over = new AbortController()
    // Without a reason, Node would create an error for each request.
    request.once('close', () => over.abort('over'))
    await sleep(BODY_MS, over.signal)
    if (!over.signal.aborted && !request.complete) request.socket.destroy()
  }
  if (method === 'POST' && UPLOAD.test(url)) response.once('finish', () => void endLater())
  // Most bodies arrive together with their headers and need no timer.
  else setImmediate(() => void endLater())
}
