import type { McpHttpHandler } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type Request as EndpointRequest, endpoint } from '../endpoint.ts'
import { MOST_JSON_BYTES } from '../read-body.ts'

/** A JSON-RPC message. The package of the protocol validates the rest. */
const messageSchema = z.looseObject({ jsonrpc: z.literal('2.0') })

/** The Model Context Protocol over HTTP, stateless, with one response to each request. */
export const mcpEndpoints = {
  'POST /mcp': endpoint({
    body: messageSchema,
    mostBytes: MOST_JSON_BYTES,
    answer: null,
    type: 'application/json',
    run: (request) => handle(request),
  }),
}

type McpRequest = EndpointRequest<undefined, undefined, z.infer<typeof messageSchema>>

async function handle(request: McpRequest): Promise<Response> {
  // Loaded with the first request, because most servers get none.
  const { createMcpHandler } = await import('@modelcontextprotocol/server')
  const { createMcpServer } = await import('../mcp-server.ts')
  const { context, parts, body } = request
  const handler: McpHttpHandler = createMcpHandler(() => createMcpServer(apiOf(request), parts.version), {
    // Nothing changes while a client listens, so there is nothing to subscribe to.
    maxSubscriptions: 0,
    onerror: () => undefined,
  })
  return handler.fetch(context.req.raw, { parsedBody: body })
}

/** Headers that identify the caller and its origin. */
const PASSED = /^(host|origin|authorization|cookie|x-quorate-.*|forwarded|via|x-forwarded-.*|x-real-ip)$/

/** Calls the routes of this server on behalf of the caller of the tool. */
function apiOf({ context, app }: McpRequest) {
  return async (method: 'GET' | 'POST', path: string, body?: unknown) => {
    const { url, headers: given, signal } = context.req.raw
    const headers = new Headers([...given].filter(([name]) => PASSED.test(name)))
    if (body !== undefined) headers.set('content-type', 'application/json')
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await app(new Request(new URL(path, url), { method, headers, signal, ...sent }), context.env)
    return { status: answer.status, text: await answer.text() }
  }
}
