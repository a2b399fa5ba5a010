import { connect, type Socket } from 'node:net'

/** A connection that is kept: one request at a time. Node's own client takes half a core of what is to be measured. */
export interface PlainClient {
  /** Resolves when the whole answer is there. */
  post(request: Buffer): Promise<PlainAnswer>
  close(): void
}

export interface PlainAnswer {
  readonly status: number
  /** Of its body; made when it is asked for. */
  text(): string
}

/** Made before the clock runs. */
export function plainRequest(port: number, path: string, body: string, headers: readonly string[] = []): Buffer {
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    'content-type: application/json',
    ...headers,
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}

export async function plainClient(port: number): Promise<PlainClient> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  return { post: (request) => exchange(socket, request), close: () => socket.destroy() }
}

const HEAD_END = Buffer.from('\r\n\r\n')
const LENGTH = /\r\ncontent-length: (\d+)/i

function exchange(socket: Socket, request: Buffer): Promise<PlainAnswer> {
  return new Promise((resolve, reject) => {
    let answer: Buffer = Buffer.alloc(0)
    const ended = () => done(() => reject(new Error('the server closed the connection')))
    const failed = (error: Error) => done(() => reject(error))
    const read = (chunk: Buffer) => {
      answer = answer.length === 0 ? chunk : Buffer.concat([answer, chunk])
      const head = answer.indexOf(HEAD_END)
      if (head < 0) return
      const words = answer.toString('latin1', 0, head)
      const length = LENGTH.exec(words)?.[1]
      if (length === undefined) return done(() => reject(new Error(`the answer has no length: ${words}`)))
      const start = head + HEAD_END.length
      if (answer.length < start + Number(length)) return
      const status = Number(answer.toString('latin1', 9, 12))
      done(() => resolve({ status, text: () => answer.toString('utf8', start) }))
    }
    const done = (settle: () => void) => {
      socket.off('data', read).off('error', failed).off('close', ended)
      settle()
    }
    socket.on('data', read).on('error', failed).on('close', ended)
    socket.write(request)
  })
}
