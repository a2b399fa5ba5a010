import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface GatedProvider {
  readonly baseURL: string
  /** A digest of every request's body, in the order of arrival. */
  readonly requests: readonly string[]
  /** Resolves when so many requests have arrived. */
  readonly reached: (count: number) => Promise<void>
  /** Answers what waits and, from then on, at once. */
  readonly open: () => void
  readonly close: () => Promise<void>
}

const REPLY = '<reasoning>It reads like A.</reasoning>\n<answer>A</answer>\n<confidence>60</confidence>'

/** A model server on loopback in OpenAI's format that answers when the test says so. */
export async function startGatedProvider(): Promise<GatedProvider> {
  const requests: string[] = []
  const watching = new Set<() => void>()
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const server = createServer(async (request, response) => {
    const hash = createHash('sha256')
    for await (const chunk of request) hash.update(chunk)
    requests.push(hash.digest('hex'))
    for (const look of watching) look()
    await opened
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion()))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // listens on a port, so it is no pipe
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    ...{ requests, open },
    reached: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (requests.length >= count) resolve()
        }
        watching.add(look)
        look()
      }),
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections()
        server.close(() => closed())
      }),
  }
}

function completion() {
  const message = { role: 'assistant', content: REPLY }
  const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 }
  const choices = [{ index: 0, message, finish_reason: 'stop' }]
  return { id: 'chat-1', object: 'chat.completion', created: 1, model: 'gated', choices, usage }
}
