/**
 * Why an attempt gave no reply. `charged` is `no` for an attempt that the provider rejected, and `unknown` for one
 * whose answer may have been lost on the way. It never contains a key or a header.
 */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly kind: ModelErrorKind
  readonly charged: 'no' | 'unknown'
  /** How long the provider asked to wait, in milliseconds. */
  readonly retryAfterMs: number | null

  constructor(
    kind: ModelErrorKind,
    message: string,
    options: { readonly charged: 'no' | 'unknown'; readonly retryAfterMs?: number | null; readonly cause?: unknown },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.kind = kind
    this.charged = options.charged
    this.retryAfterMs = options.retryAfterMs ?? null
  }
}

/**
 * Worth another attempt: rate-limit, overloaded, server, network, time-out, malformed, empty. Not worth one: key, model
 * (the provider does not know it), request (the provider refuses it), aborted (we gave up), exhausted (a script or a
 * recording has no more replies).
 */
export type ModelErrorKind =
  | 'rate-limit'
  | 'overloaded'
  | 'server'
  | 'network'
  | 'time-out'
  | 'malformed'
  | 'empty'
  | 'key'
  | 'model'
  | 'request'
  | 'aborted'
  | 'exhausted'
