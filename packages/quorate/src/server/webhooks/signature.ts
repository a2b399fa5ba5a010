import { createHmac } from 'node:crypto'

/** `t=<unix seconds>,v1=<hex>`: HMAC-SHA-256 of "t.body", so that who receives it knows the sender and the time. */
export function signatureOf(body: string, { secret, at }: { readonly secret: string; readonly at: number }): string {
  const seconds = Math.floor(at / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}
