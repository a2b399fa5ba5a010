import { createHash } from 'node:crypto'

/** SHA-256 in hex, as `sha256` of the certificate but by Node's own code: prompts are long and there are many. */
export function textDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
