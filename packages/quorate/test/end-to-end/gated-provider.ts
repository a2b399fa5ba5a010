import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inForm } from '../fake-provider/in-form.ts'

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

const LETTERS = ['A', 'B', 'C', 'D'] as const

/** A model server on loopback in OpenAI's format that answers when the test says so. */
export async function startGatedProvider(): Promise<GatedProvider> {
  const requests: string[] = []
  const watching = new Set<() => void>()
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const server = createServer(async (request, response) => {
    const asked = (await request.setEncoding('utf8').toArray()).join('')
    const digest = createHash('sha256').update(asked).digest('hex')
    requests.push(digest)
    for (const look of watching) look()
    await opened
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion(asked, digest)))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // listens on a port, so it is no pipe
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    requests,
    open,
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

/** Right four times in five about the letter of a number, as follows from what was asked: no two debates are alike. */
function completion(asked: string, digest: string) {
  const draw = Number.parseInt(digest.slice(0, 8), 16)
  const right = Number(/number (\d+)\?/.exec(asked)?.[1] ?? 0)
  const letter = LETTERS[(draw % 5 === 0 ? draw : right) % LETTERS.length]
  const content = inForm(asked, { reasoning: `It is ${letter}.`, answer: letter, confidence: 50 + (draw % 50) })
  const message = { role: 'assistant', content }
  const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 }
  const choices = [{ index: 0, message, finish_reason: 'stop' }]
  return { id: 'chat-1', object: 'chat.completion', created: 1, model: 'gated', choices, usage }
}
