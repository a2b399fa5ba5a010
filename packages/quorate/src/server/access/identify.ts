import { createHash } from 'node:crypto'
import type { Role } from '../../contract/session.ts'
import { type Identity, LOCAL } from './identity.ts'
import { presentedSession } from './session-cookie.ts'

/** A token or session as it is kept: never itself, only its hash. */
export interface KnownToken {
  readonly name: string
  readonly role: Role
  readonly kind: 'human' | 'machine'
}

/** Where tokens and sessions are looked up; null for one that is unknown, expired or revoked. */
export interface Credentials {
  byToken(hash: string, now: number): Promise<KnownToken | null>
  bySession(hash: string, now: number): Promise<KnownToken | null>
}

/** A header of the request, by its name in small letters. */
export type HeaderOf = (name: string) => string | undefined

export interface Presented {
  readonly headerOf: HeaderOf
  /** Came through a proxy, says one of its headers. */
  readonly isForwarded: boolean
  /** Whether browsers come over TLS: the cookie's name depends on it. */
  readonly isSecure: boolean
  readonly now: number
}

/**
 * `wrong`: a token that is not valid, which is a guess; it never falls back to the local person. `ended`: a session that
 * is over, which is none. `doubled`: several cookies of the session's name, one of which is another program's. `forwarded`:
 * nobody's token through a proxy, where the local person would have been let in.
 */
export type AuthFailure = 'missing' | 'wrong' | 'ended' | 'doubled' | 'forwarded'

export type Identified =
  | { readonly kind: 'known'; readonly identity: Identity }
  | { readonly kind: 'unknown'; readonly why: AuthFailure }

/** Who sends a request: by bearer token, else by the app's session, else the local person where that is allowed. */
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
  // A cookie of yesterday must not lock out who needs none.
  if (allowsLocal && !isForwarded) return { kind: 'known', identity: LOCAL }
  if (session.kind === 'one') return { kind: 'unknown', why: 'ended' }
  if (session.kind === 'doubled') return { kind: 'unknown', why: 'doubled' }
  return { kind: 'unknown', why: allowsLocal ? 'forwarded' : 'missing' }
}

/** Tokens are 32 random bytes: a plain hash cannot be guessed backwards. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

function known({ name, role, kind }: KnownToken): Identified {
  return { kind: 'known', identity: { name, role, kind, isLocal: false } }
}
