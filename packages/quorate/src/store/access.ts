import type { LedgerEntry, Millis } from './store.ts'

/** What a token permits. The token itself, 32 random bytes, is shown once and never stored. */
export interface StoredToken {
  readonly id: string
  /** Unique among tokens that are not revoked, because reviews are signed with it. */
  readonly name: string
  readonly role: 'viewer' | 'reviewer' | 'admin'
  readonly kind: 'human' | 'machine'
  /** SHA-256 of the token, in hex. */
  readonly hash: string
  readonly createdAt: Millis
  /** Null: it never expires. */
  readonly expiresAt: Millis | null
  readonly revokedAt: Millis | null
  readonly lastUsedAt: Millis | null
  /** The person who created it over HTTP; null: it was created on the command line. */
  readonly madeBy: string | null
}

/** The ledger chain that records tokens created and revoked over HTTP. It belongs to no run. */
export const ACCESS_CHAIN = 'access'

type TokenToStore = Omit<StoredToken, 'revokedAt' | 'lastUsedAt' | 'madeBy'> & {
  readonly madeBy?: StoredToken['madeBy']
}

/** A browser that signed in with a token. */
export interface StoredSession {
  /** SHA-256 of the cookie's value, in hex. */
  readonly hash: string
  readonly tokenId: string
  readonly createdAt: Millis
  readonly expiresAt: Millis
}

export interface TokenStore {
  /** The name of a token that is not revoked is an error (`exists`). The entry is written in the same commit. */
  create(token: TokenToStore, entry?: LedgerEntry): Promise<void>
  /** Expired and revoked tokens are returned too. The caller checks their times. */
  find(hash: string): Promise<StoredToken | null>
  findById(id: string): Promise<StoredToken | null>
  /** By id. */
  list(page: { readonly after: string | null; readonly limit: number }): Promise<readonly StoredToken[]>
  /** Also ends its sessions. False: no such token, or it is revoked already; then the entry is not written. */
  revoke(id: string, at: Millis, entry?: LedgerEntry): Promise<boolean>
  touch(id: string, at: Millis): Promise<void>
}

export interface SessionStore {
  /** A session of an unknown token is an error (`missing`). */
  create(session: StoredSession): Promise<void>
  /** Returns the session with its token, even if it has expired. */
  find(hash: string): Promise<{ readonly session: StoredSession; readonly token: StoredToken } | null>
  remove(hash: string): Promise<boolean>
}
