/**
 * The store could not do something. The message says what, and what the reader can do about it. It never contains a password.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly kind: StoreErrorKind

  constructor(kind: StoreErrorKind, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.kind = kind
  }
}

/**
 * `exists` and `missing` are about a row, `erased` about its text, `invalid` about what was to be written, and
 * `damaged` about what was read. `fenced`: another process has taken over the run. `newer-schema` and `not-a-store` are
 * about the database as a whole, the others about the machine.
 */
export type StoreErrorKind =
  | 'exists'
  | 'missing'
  | 'erased'
  | 'fenced'
  | 'invalid'
  | 'damaged'
  | 'newer-schema'
  | 'not-a-store'
  | 'busy'
  | 'disk-full'
  | 'read-only'
  | 'unreachable'
  | 'denied'
  | 'unsupported'
  | 'closed'
