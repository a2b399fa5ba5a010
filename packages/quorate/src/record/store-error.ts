/** Something that the store could not do: what, and what the reader can do about it. Never carries a password. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly kind: StoreErrorKind

  constructor(kind: StoreErrorKind, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.kind = kind
  }
}

/**
 * `exists` and `missing` are about a row, `erased` about its text; `fenced`: another process has taken the run over; `invalid` about what was to be written; `damaged` about what was read;
 * `newer-schema` and `not-a-store` about the database as a whole; the others about the machine.
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
