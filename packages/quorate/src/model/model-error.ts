/**
 * Why an attempt gave no reply. `charged` says what the provider may have counted: `no` for an attempt that it turned
 * away, `unknown` for one whose answer got lost on the way. Never carries a key or a header.
 */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly kind: ModelErrorKind
  readonly charged: 'no' | 'unknown'
  /** What the provider asked to wait, in milliseconds. */
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
 * Worth another attempt: rate-limit, overloaded, server, network, time-out, malformed, empty. Not: key, model (the provider does not
 * know it), request (it refuses what was sent), aborted (we gave up), exhausted (a script or a recording has no more).
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
