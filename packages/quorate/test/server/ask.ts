import { request } from 'node:http'

export interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Sent in chunks, without a length. */
  readonly isChunked?: boolean
}

export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** The text as JSON. */
  json(): unknown
}

/** A request as it is written: path and Host are sent byte for byte. */
export function ask(port: number, path: string, { method = 'GET', headers = {}, body, isChunked }: Asked = {}) {
  const isReading = method === 'GET' || method === 'HEAD'
  const usual = isReading ? {} : { 'content-type': 'application/json' }
  const length = body === undefined || isChunked === true ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise<Answered>((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      path,
      method,
      agent: false,
      headers: { host: `127.0.0.1:${port}`, ...usual, ...length, ...headers },
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: () => JSON.parse(text) })
      })
    })
    sent.end(body)
  })
}

export function bearer(token: string): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` }
}
