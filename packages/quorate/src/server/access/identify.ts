import { createHash } from 'node:crypto'
import type { Role } from '../../contract/session.ts'
import { type Identity, LOCAL } from './identity.ts'

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

export interface Presented {
  readonly authorization: string | undefined
  readonly cookie: string | undefined
  readonly now: number
}

export type Identified =
  | { readonly kind: 'known'; readonly identity: Identity }
  /** `wrong`: something was presented and is not valid; it never falls back to the local person. */
  | { readonly kind: 'missing' | 'wrong' }

export const SESSION_COOKIE = 'quorate-session'

/** Who sends a request: by bearer token, else by the app's cookie, else the local person where that is allowed. */
export async function identify(
  { authorization, cookie, now }: Presented,
  { credentials, allowsLocal }: { readonly credentials: Credentials; readonly allowsLocal: boolean },
): Promise<Identified> {
  if (authorization !== undefined) {
    const token = /^Bearer ([\w.~+/=-]{1,200})$/i.exec(authorization)?.[1]
    return token === undefined ? { kind: 'wrong' } : known(await credentials.byToken(hashOf(token), now))
  }
  const session = sessionSecret(cookie)
  if (session !== undefined) {
    const found = known(await credentials.bySession(hashOf(session), now))
    // A cookie of yesterday must not lock out who needs none.
    if (found.kind === 'known' || !allowsLocal) return found
  }
  return allowsLocal ? { kind: 'known', identity: LOCAL } : { kind: 'missing' }
}

/** Tokens are 32 random bytes: a plain hash cannot be guessed backwards. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** The secret of the app's cookie, if the request has one. */
export function sessionSecret(cookie: string | undefined): string | undefined {
  return cookie === undefined ? undefined : cookieNamed(cookie, SESSION_COOKIE)
}

function known(token: KnownToken | null): Identified {
  if (token === null) return { kind: 'wrong' }
  const { name, role, kind } = token
  return { kind: 'known', identity: { name, role, kind, isLocal: false } }
}

function cookieNamed(header: string, name: string): string | undefined {
  for (const part of header.split(';')) {
    const [key = '', value = ''] = part.trim().split('=', 2)
    if (key === name && value !== '') return value
  }
  return undefined
}
