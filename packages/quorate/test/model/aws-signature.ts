import { createHash, createHmac } from 'node:crypto'

/** A request as a server received it. */
export interface ReceivedRequest {
  readonly method: string
  /** The path with its query, as it was sent over the wire. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}

/**
 * AWS Signature Version 4 written out from Amazon's description of it, without any code of the SDK: the Authorization
 * header that the request must carry, from the headers and the scope that it names itself. The path is encoded once more
 * before it is hashed, as for every service but S3.
 */
export function expectedAuthorization(request: ReceivedRequest, secret: string): string {
  const given = String(request.headers['authorization'])
  const [, keyId = '', scope = '', signed = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=[0-9a-f]{64}$/.exec(given) ?? []
  const [path = '', query = ''] = request.path.split('?')
  const canonical = [
    request.method,
    path.split('/').map(encoded).join('/'),
    query.split('&').sort().join('&'),
    ...signed.split(';').map((name) => `${name}:${String(request.headers[name]).trim().replace(/ +/g, ' ')}`),
    '',
    signed,
    hash(request.body),
  ].join('\n')
  const [day = '', region = '', service = '', end = ''] = scope.split('/')
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, hash(canonical)].join('\n')
  const key = [day, region, service, end].reduce<Buffer | string>((digest, part) => hmac(digest, part), `AWS4${secret}`)
  const signature = hmac(key, text).toString('hex')
  return `AWS4-HMAC-SHA256 Credential=${keyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`
}

function encoded(segment: string): string {
  return encodeURIComponent(segment).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
