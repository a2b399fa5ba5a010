import { createServer, type IncomingHttpHeaders } from 'node:http'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** Resolves when this many messages have arrived. */
  count(wanted: number): Promise<void>
  close(): Promise<void>
}

/** A server that receives webhooks and responds as the test specifies. */
export async function startReceiver(
  answer: (number: number) => { status: number; location?: string },
): Promise<Receiver> {
  const received: Received[] = []
  const waiting: { readonly wanted: number; readonly done: () => void }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() })
      const { status, location } = answer(received.length)
      response
        .writeHead(status, { connection: 'close', ...(location === undefined ? {} : { location }) })
        .end('ignored')
      for (const { wanted, done } of waiting) if (received.length >= wanted) done()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    count: (wanted) =>
      received.length >= wanted
        ? Promise.resolve()
        : new Promise<void>((done) => {
            waiting.push({ wanted, done })
          }),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
