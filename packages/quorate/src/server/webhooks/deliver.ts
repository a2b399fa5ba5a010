import type { StoredMessage } from '../../store/outbox.ts'
import { signatureOf } from './signature.ts'

/** Where messages may go, by the name that the outbox has for it: only what the config says. */
export type Targets = ReadonlyMap<string, { readonly url: string; readonly secret: string }>

export type Delivery = { readonly kind: 'delivered' } | { readonly kind: 'failed'; readonly error: string }

export const DELIVERY_TIMEOUT_MS = 10_000

/** One attempt. The answer counts by its status alone; nothing of it is read or followed. */
export async function deliver(
  { id, event, body }: StoredMessage,
  { url, secret }: { readonly url: string; readonly secret: string },
  at: number,
): Promise<Delivery> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(DELIVERY_TIMEOUT_MS),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'quorate',
        'quorate-event': event,
        'quorate-delivery': id,
        'quorate-signature': signatureOf(body, { secret, at }),
      },
      body,
    })
    await response.body?.cancel()
    if (response.ok) return { kind: 'delivered' }
    const isRedirect = response.status >= 300 && response.status < 400
    return { kind: 'failed', error: `answered ${response.status}${isRedirect ? ': no redirect is followed' : ''}` }
  } catch (error) {
    return { kind: 'failed', error: networkWords(error) }
  }
}

/** The address is not repeated: its path may be a secret. */
function networkWords(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${DELIVERY_TIMEOUT_MS / 1000} s`
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no connection'
  return `could not be reached: ${code}`
}
