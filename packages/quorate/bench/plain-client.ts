import { connect, type Socket } from 'node:net'

/** A connection that is kept: one request at a time. Node's own client takes half a core of what is to be measured. */
export interface PlainClient {
  /** Resolves with the status when the whole answer is there. */
  post(request: Buffer): Promise<number>
  close(): void
}

/** Made before the clock runs. */
export function plainRequest(port: number, path: string, body: string): Buffer {
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    'content-type: application/json',
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

function exchange(socket: Socket, request: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    let answer: Buffer = Buffer.alloc(0)
    const ended = () => done(() => reject(new Error('the server closed the connection')))
    const failed = (error: Error) => done(() => reject(error))
    const read = (chunk: Buffer) => {
      answer = answer.length === 0 ? chunk : Buffer.concat([answer, chunk])
      const head = answer.indexOf(HEAD_END)
      if (head < 0) return
      const length = LENGTH.exec(answer.toString('latin1', 0, head))?.[1]
      if (length === undefined) return done(() => reject(new Error('the answer has no length')))
      if (answer.length < head + HEAD_END.length + Number(length)) return
      done(() => resolve(Number(answer.toString('latin1', 9, 12))))
    }
    const done = (settle: () => void) => {
      socket.off('data', read).off('error', failed).off('close', ended)
      settle()
    }
    socket.on('data', read).on('error', failed).on('close', ended)
    socket.write(request)
  })
}
