import type { LedgerEntry, Millis } from './store.ts'

/** Who may do what. The token itself, 32 random bytes, is shown once and kept nowhere. */
export interface StoredToken {
  readonly id: string
  /** One unrevoked token has a name: reviews are signed with it. */
  readonly name: string
  readonly role: 'viewer' | 'reviewer' | 'admin'
  readonly kind: 'human' | 'machine'
  /** SHA-256 of the token, in hex. */
  readonly hash: string
  readonly createdAt: Millis
  /** Null: never. */
  readonly expiresAt: Millis | null
  readonly revokedAt: Millis | null
  readonly lastUsedAt: Millis | null
  /** The person who made it over HTTP; null: it was made on the command line. */
  readonly madeBy: string | null
}

/** Tokens that were made and revoked over HTTP: a chain of the ledger that belongs to no run. */
export const ACCESS_CHAIN = 'access'

type NewToken = Omit<StoredToken, 'revokedAt' | 'lastUsedAt' | 'madeBy'> & { readonly madeBy?: StoredToken['madeBy'] }

/** A browser that signed in with a token. */
export interface StoredSession {
  /** SHA-256 of the cookie's value, in hex. */
  readonly hash: string
  readonly tokenId: string
  readonly createdAt: Millis
  readonly expiresAt: Millis
}

export interface TokenStore {
  /** A name that an unrevoked token has is an error (`exists`). The entry is written in the same commit. */
  create(token: NewToken, entry?: LedgerEntry): Promise<void>
  /** Also an expired or revoked one: the caller looks at its times. */
  find(hash: string): Promise<StoredToken | null>
  findById(id: string): Promise<StoredToken | null>
  /** By id. */
  list(page: { readonly after: string | null; readonly limit: number }): Promise<readonly StoredToken[]>
  /** With its sessions. False: there is none, or it is revoked already, and the entry is not written. */
  revoke(id: string, at: Millis, entry?: LedgerEntry): Promise<boolean>
  touch(id: string, at: Millis): Promise<void>
  count(): Promise<number>
}

export interface SessionStore {
  /** Of a token that is not there: an error (`missing`). */
  create(session: StoredSession): Promise<void>
  /** With its token; also an expired one. */
  find(hash: string): Promise<{ readonly session: StoredSession; readonly token: StoredToken } | null>
  remove(hash: string): Promise<boolean>
}
