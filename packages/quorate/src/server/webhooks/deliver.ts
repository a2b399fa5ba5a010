import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { parseStored } from '../../record/parse-stored.ts'
import { StoreError } from '../../record/store-error.ts'
import type { StoredMessage } from '../../store/outbox.ts'
import { chatBody } from './chat-notices.ts'
import type { ChatFormat } from './targets.ts'

/** The webhooks of the config by their names in the outbox. Messages go nowhere else. */
export type Targets = ReadonlyMap<string, DeliveryTarget>

export interface DeliveryTarget {
  readonly url: string
  readonly secret: string
  /** Absent: a signed message for a program. */
  readonly chat?: { readonly format: ChatFormat }
}

export type Delivery = { readonly kind: 'delivered' } | { readonly kind: 'failed'; readonly error: string }

export const DELIVERY_TIMEOUT_MS = 10_000

export interface DeliveryOptions {
  readonly at: number
  /** Messages link to the app at this origin; null: its address is unknown. */
  readonly publicOrigin: string | null
}

/** Makes one attempt. Only the status of the response counts. Its body is not read, and no redirect is followed. */
export async function deliver(
  { id, event, body: stored }: StoredMessage,
  { url, secret, chat }: DeliveryTarget,
  { at, publicOrigin }: DeliveryOptions,
): Promise<Delivery> {
  try {
    const body = bodyOf(stored, chat, publicOrigin)
    const signed = {
      'quorate-event': event,
      'quorate-delivery': id,
      'quorate-signature': signatureOf(body, { secret, at }),
    }
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(DELIVERY_TIMEOUT_MS),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'quorate',
        // A chat has no secret to check a signature with.
        ...(chat === undefined ? signed : {}),
      },
      body,
    })
    await response.body?.cancel()
    if (response.ok) return { kind: 'delivered' }
    const isRedirect = response.status >= 300 && response.status < 400
    return { kind: 'failed', error: `answered ${response.status}${isRedirect ? ': no redirect is followed' : ''}` }
  } catch (error) {
    return { kind: 'failed', error: failureWords(error) }
  }
}

function bodyOf(stored: string, chat: DeliveryTarget['chat'], publicOrigin: string | null): string {
  if (chat !== undefined) return chatBody(stored, chat.format, publicOrigin)
  return publicOrigin === null ? stored : withLink(stored, publicOrigin)
}

const messageSchema = z.looseObject({
  data: z.looseObject({ runId: z.string().optional(), questionId: z.string().optional() }),
})

/** Links to the page of the debate, else to the first page. */
function withLink(body: string, publicOrigin: string): string {
  const message = parseStored(messageSchema, body, 'a message of the outbox')
  const { runId, questionId } = message.data
  const place = runId === undefined || questionId === undefined ? [''] : ['debates', runId, questionId]
  // A lone surrogate cannot be encoded.
  const path = place.map((part) => encodeURIComponent(part.replace(/\p{Cs}/gu, '\ufffd'))).join('/')
  return JSON.stringify({ ...message, link: `${publicOrigin}/#/${path}` })
}

/** The address is not repeated, because its path may be a secret. */
function failureWords(error: unknown): string {
  // The message was damaged in the store, so nothing was sent.
  if (error instanceof StoreError) return error.message
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${DELIVERY_TIMEOUT_MS / 1000} s`
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no connection'
  return `could not be reached: ${code}`
}

/** `t=<unix seconds>,v1=<hex>`: HMAC-SHA-256 of "t.body", so that the receiver can verify the sender and the time. */
export function signatureOf(body: string, { secret, at }: { readonly secret: string; readonly at: number }): string {
  const seconds = Math.floor(at / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}
