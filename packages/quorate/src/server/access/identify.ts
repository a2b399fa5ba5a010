import { createHash } from 'node:crypto'
import type { Role } from '../../contract/session.ts'
import { type Identity, LOCAL } from './identity.ts'
import { presentedSession } from './session-cookie.ts'

/** The owner of a token or session. The store has only the hash of the secret. */
export interface KnownToken {
  readonly name: string
  readonly role: Role
  readonly kind: 'human' | 'machine'
}

/** Looks up tokens and sessions. The result is null if one is unknown, expired or revoked. */
export interface Credentials {
  byToken(hash: string, now: number): Promise<KnownToken | null>
  bySession(hash: string, now: number): Promise<KnownToken | null>
}

/** Returns a header of the request by its name in lower case. */
export type HeaderOf = (name: string) => string | undefined

export interface Presented {
  readonly headerOf: HeaderOf
  /** A header shows that the request came through a proxy. */
  readonly isForwarded: boolean
  /** Browsers connect over TLS. The name of the cookie depends on it. */
  readonly isSecure: boolean
  readonly now: number
}

/**
 * `wrong`: an invalid token. It counts as a guess and never falls back to the local person. `ended`: an expired session, which
 * does not count as a guess. `doubled`: several cookies have the name of the session cookie, so another program set one of
 * them. `forwarded`: a request without a token through a proxy, on a server where the local person needs none.
 */
export type AuthFailure = 'missing' | 'wrong' | 'ended' | 'doubled' | 'forwarded'

export type Identified =
  | { readonly kind: 'known'; readonly identity: Identity }
  | { readonly kind: 'unknown'; readonly why: AuthFailure }

/** Identifies the caller by bearer token, else by the app's session, else as the local person if that is allowed. */
export async function identify(
  { headerOf, isForwarded, isSecure, now }: Presented,
  { credentials, allowsLocal }: { readonly credentials: Credentials; readonly allowsLocal: boolean },
): Promise<Identified> {
  const authorization = headerOf('authorization')
  if (authorization !== undefined) {
    const token = /^Bearer ([\w.~+/=-]{1,200})$/i.exec(authorization)?.[1]
    const found = token === undefined ? null : await credentials.byToken(hashOf(token), now)
    return found === null ? { kind: 'unknown', why: 'wrong' } : known(found)
  }
  const session = presentedSession(headerOf, isSecure)
  if (session.kind === 'one') {
    const found = await credentials.bySession(hashOf(session.secret), now)
    if (found !== null) return known(found)
  }
  // An expired cookie must not lock out the local person, who needs none.
  if (allowsLocal && !isForwarded) return { kind: 'known', identity: LOCAL }
  if (session.kind === 'one') return { kind: 'unknown', why: 'ended' }
  if (session.kind === 'doubled') return { kind: 'unknown', why: 'doubled' }
  return { kind: 'unknown', why: allowsLocal ? 'forwarded' : 'missing' }
}

/** Tokens are 32 random bytes, so a plain hash cannot be reversed by guessing. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

function known({ name, role, kind }: KnownToken): Identified {
  return { kind: 'known', identity: { name, role, kind, isLocal: false } }
}
