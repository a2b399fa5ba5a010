import { APICallError, LoadAPIKeyError } from 'ai'
import { abortedError } from './aborted-error.ts'
import { ModelError, type ModelErrorKind } from './model-error.ts'
import { type Environment, redactSecrets } from './redact-secrets.ts'

export interface ErrorContext {
  readonly model: string
  readonly env: Environment
  /** Variables whose values must not appear in a message, whatever they are called. */
  readonly secretNames: readonly string[]
  readonly signal: AbortSignal
  readonly now: () => number
}

const LONGEST_MESSAGE = 500
/** Nothing was sent, so nothing can be charged. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])
const SLOW = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'])
/** A gateway gave up on a provider that may have continued, so the call may be charged. */
const GATEWAY = new Set([502, 504, 522, 524])
/** What the SDK throws for a body that it could read but not interpret. */
const SENSELESS =
  /^AI_(InvalidResponseData|TypeValidation|JSONParse|EmptyResponseBody|NoContentGenerated|NoOutputGenerated)/

/** Turns whatever the SDK threw into a ModelError without keys, headers or bodies. */
export function modelErrorOf(error: unknown, context: ErrorContext): ModelError {
  if (error instanceof ModelError) return error
  if (context.signal.aborted) return abortedError(context.model, context.signal)
  const { kind, charged } = verdictOf(error)
  const headers = APICallError.isInstance(error) ? (error.responseHeaders ?? {}) : {}
  const message = cleanMessage(error, context)
  return new ModelError(
    kind,
    `${context.model}: ${statusText(error)}${withNextStep(message, nextStep(error, kind, context))}`,
    {
      charged,
      retryAfterMs: retryAfterMs(headers, context.now),
      cause: new Error(message),
    },
  )
}

/** What a person can do about an error that no retry fixes. */
function nextStep(error: unknown, kind: ModelErrorKind, { secretNames }: ErrorContext): string {
  if (kind === 'key' && secretNames.length > 0) return `Check ${secretNames.join(' or ')}`
  const isUnknown = APICallError.isInstance(error) && error.statusCode === 404
  return isUnknown ? "Check the model's name and its baseURL" : ''
}

function withNextStep(message: string, next: string): string {
  return next === '' ? message : `${message.replace(/\.$/, '')}. ${next}`
}

interface ErrorVerdict {
  readonly kind: ModelErrorKind
  readonly charged: 'no' | 'unknown'
}

function verdictOf(error: unknown): ErrorVerdict {
  if (LoadAPIKeyError.isInstance(error)) return { kind: 'key', charged: 'no' }
  if (!APICallError.isInstance(error)) {
    const isSenseless = error instanceof Error && SENSELESS.test(error.name)
    return isSenseless ? { kind: 'malformed', charged: 'unknown' } : connectionVerdict(error)
  }
  const { statusCode } = error
  if (statusCode === undefined) return connectionVerdict(error)
  if (statusCode >= 200 && statusCode < 300) return bodyVerdict(error)
  const kind = kindOfStatus(statusCode, error.responseBody ?? '')
  return { kind, charged: GATEWAY.has(statusCode) ? 'unknown' : 'no' }
}

/** A success status whose body was cut off or is not what was expected. */
function bodyVerdict(error: APICallError): ErrorVerdict {
  const isBroken = [...causes(error)].some((cause) => 'code' in cause || /^(terminated|aborted)$/i.test(cause.message))
  return { kind: isBroken ? 'network' : 'malformed', charged: 'unknown' }
}

function connectionVerdict(error: unknown): ErrorVerdict {
  const codes = [...causes(error)].flatMap((cause) => ('code' in cause ? [String(cause.code)] : []))
  if (codes.some((code) => SLOW.has(code))) return { kind: 'time-out', charged: 'unknown' }
  if (codes.some((code) => NOT_CONNECTED.has(code))) return { kind: 'network', charged: 'no' }
  const isNetwork = codes.length > 0 || APICallError.isInstance(error)
  return { kind: isNetwork ? 'network' : 'request', charged: 'unknown' }
}

function kindOfStatus(status: number, body: string): ModelErrorKind {
  // OpenAI also answers 429 for an account without credit, which no wait fixes.
  if (status === 401 || status === 402 || status === 403 || /insufficient_quota/.test(body)) return 'key'
  if (status === 404) return 'model'
  if (status === 429) return 'rate-limit'
  if (status === 503 || status === 529) return 'overloaded'
  if (status === 408) return 'time-out'
  if (status >= 500 || status === 409 || status === 425) return 'server'
  return 'request'
}

function statusText(error: unknown): string {
  return APICallError.isInstance(error) && error.statusCode !== undefined ? `${error.statusCode} ` : ''
}

function cleanMessage(error: unknown, { env, secretNames }: ErrorContext): string {
  const words = [...causes(error)].map(({ message }) => message).filter((message) => message !== '')
  const message = words[0] ?? 'failed without a message'
  // Cut only after redacting, because half a key would not be found.
  const clean = redactSecrets(message, env, secretNames).replace(/\s+/g, ' ').trim()
  return clean.length > LONGEST_MESSAGE ? `${clean.slice(0, LONGEST_MESSAGE)} ...` : clean
}

/** The error and its causes, up to a few levels. */
function* causes(error: unknown): Generator<Error> {
  let current = error
  for (let depth = 0; depth < 6 && current instanceof Error; depth++) {
    yield current
    current = current.cause
  }
}

/**
 * Milliseconds that a provider asks to wait: `retry-after-ms`, or `retry-after` in seconds or as an HTTP date. A date
 * is compared with the provider's own clock if it sent one. Null if nothing readable was sent.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: () => number): number | null {
  const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.trim()]))
  const milliseconds = plainNumber(named.get('retry-after-ms'))
  if (milliseconds !== null) return Math.ceil(milliseconds)
  const after = named.get('retry-after')
  const seconds = plainNumber(after)
  if (seconds !== null) return Math.ceil(seconds * 1000)
  const until = httpDate(after)
  return until === null ? null : Math.max(0, until - (httpDate(named.get('date')) ?? now()))
}

function plainNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : null
}

/** `Date.parse` alone accepts almost anything as a date. */
function httpDate(text: string | undefined): number | null {
  const time = /^[A-Z][a-z]{2,8},? .*\d{2}:\d{2}/.test(text ?? '') ? Date.parse(text ?? '') : Number.NaN
  return Number.isNaN(time) ? null : time
}
