import { MICRO_USD } from '../record/money.ts'
import { isLoopback } from './loopback.ts'
import type { Message, ModelSettings } from './model.ts'
import { PRICE_TABLE, type Price, type PriceTable } from './price-table.ts'

const FREE: Price = Object.freeze({ inputMicroUsd: 0, outputMicroUsd: 0 })
const KEYLESS = /^(simulated|scripted|manual|replay)\//
/** The suffix of a dated release: `-20251001`, `-2025-08-07`, `-20251001-v1:0`, `-latest`. */
const RELEASE = /-(\d{8}|\d{4}-\d{2}-\d{2}|latest)(-v\d+(:\d+)?)?$/
/** Bedrock's inference profiles. */
const PROFILE = /^bedrock\/(us|eu|apac|jp|au|global)\./
/** Tokens that a chat format adds to each message and to the whole, with room to spare. */
const TOKENS_PER_MESSAGE = 16
const TOKENS_PER_CALL = 64
/** A provider may describe a schema to its model in more words. */
const SCHEMA_FACTOR = 4
const MILLION = 1_000_000

/** The price from `overrides`, else from the table; null if it is unknown. */
export function priceOf(model: string, overrides: PriceTable = {}): Price | null {
  if (Object.hasOwn(overrides, model)) return overrides[model] ?? null
  if (KEYLESS.test(model)) return FREE
  const plain = model.replace(PROFILE, 'bedrock/')
  // A profile may have a price of its own.
  for (const name of [model, model.replace(RELEASE, ''), plain, plain.replace(RELEASE, '')]) {
    if (Object.hasOwn(PRICE_TABLE, name)) return PRICE_TABLE[name] ?? null
  }
  return null
}

export interface TokenCount {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** Whole micro-dollars, rounded up; null if the price or the usage is unknown. */
export function costMicroUsd(model: string, usage: TokenCount | null, overrides?: PriceTable): number | null {
  const price = priceOf(model, overrides)
  if (price === FREE) return 0
  return price === null || usage === null ? null : costOf(price, usage)
}

/**
 * An upper bound of the cost of a call: a token is at least one byte of what is sent, and at most `maxOutputTokens`
 * come back. Null if the price is unknown.
 */
export function reserveMicroUsd(model: string, asked: AskedTokens, overrides?: PriceTable): number | null {
  const price = priceOf(model, overrides)
  if (price === null) return null
  return costOf(price, { inputTokens: mostInputTokens(asked), outputTokens: asked.settings.maxOutputTokens })
}

/** What the tokens of a call depend on. */
export interface AskedTokens {
  readonly messages: readonly Message[]
  readonly settings: Pick<ModelSettings, 'maxOutputTokens' | 'schema'>
}

/** An upper bound, because no token of a byte-level tokenizer is shorter than one byte. Providers count a schema as well. */
export function mostInputTokens({ messages, settings }: AskedTokens): number {
  const schema = settings.schema === null ? 0 : Buffer.byteLength(JSON.stringify(settings.schema))
  const room = TOKENS_PER_CALL + SCHEMA_FACTOR * schema
  return messages.reduce((sum, { content }) => sum + Buffer.byteLength(content) + TOKENS_PER_MESSAGE, room)
}

export function costOf({ inputMicroUsd, outputMicroUsd }: Price, { inputTokens, outputTokens }: TokenCount): number {
  return Math.ceil((inputTokens * inputMicroUsd + outputTokens * outputMicroUsd) / MILLION)
}

/** Under a cap in US dollars, a call of an unpriced model on the user's own server counts as this much. */
export const UNPRICED_CALL_MICRO_USD = 1000

/** Private addresses, as a parsed URL writes them. */
const PRIVATE_HOST = /^(?:10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2})$/u

/** Whether a model runs on this machine or its private network, where calls cost nothing. */
export function isOwnServer({ baseURL }: { readonly baseURL?: string | null | undefined }): boolean {
  if (typeof baseURL !== 'string' || !URL.canParse(baseURL)) return false
  const { hostname } = new URL(baseURL)
  return isLoopback(hostname) || PRIVATE_HOST.test(hostname)
}

/** How a cap counts the calls of unpriced models on the user's own servers, in words. */
export function unpricedWords(models: readonly string[], maxCostUsd: number): string {
  const calls = Math.floor((maxCostUsd * MICRO_USD) / UNPRICED_CALL_MICRO_USD)
  const has = `${models.join(', ')} ${models.length === 1 ? 'has' : 'have'} no known price`
  return (
    `${has}: the cap of ${maxCostUsd} USD counts each call as ${UNPRICED_CALL_MICRO_USD / MICRO_USD} USD, so at most ${calls} calls. ` +
    'Write the price into the config (prices), 0 for a server of your own'
  )
}
