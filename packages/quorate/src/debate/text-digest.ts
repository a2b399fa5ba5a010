import { createHash } from 'node:crypto'

/** SHA-256 in hex, like `sha256` of the certificate but with Node's own code, because prompts are long and many. */
export function textDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
