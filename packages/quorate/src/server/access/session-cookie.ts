import { SESSION_KEY_HEADER } from '../../contract/session.ts'
import type { HeaderOf } from './identify.ts'

/** Over TLS the prefix lets no other host of the domain set it; browsers take the prefix only with Secure. */
export function sessionCookieName(isSecure: boolean): string {
  return isSecure ? '__Host-quorate-session' : 'quorate-session'
}

/** Only our own pages send it, no script reads it, and where it is secure it travels encrypted or not at all. */
export function sessionCookie(
  value: string,
  { isSecure, maxAge }: { readonly isSecure: boolean; readonly maxAge: number },
): string {
  const secure = isSecure ? '; Secure' : ''
  const life = Math.max(0, Math.floor(maxAge))
  return `${sessionCookieName(isSecure)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${life}${secure}`
}

export type PresentedSession =
  | { readonly kind: 'none' | 'doubled' }
  /** Of cookie and key together. */
  | { readonly kind: 'one'; readonly secret: string }

/**
 * Browsers send a cookie to every port of a host, and every port can set it. The key is kept by the page for its own
 * origin alone, so neither who is sent the cookie nor who sets one has both halves of a session.
 */
export function presentedSession(headerOf: HeaderOf, isSecure: boolean): PresentedSession {
  const [cookie, ...others] = cookiesNamed(headerOf('cookie') ?? '', sessionCookieName(isSecure))
  const key = headerOf(SESSION_KEY_HEADER)
  if (cookie === undefined) return { kind: 'none' }
  if (others.length > 0) return { kind: 'doubled' }
  return key === undefined || key === '' ? { kind: 'none' } : { kind: 'one', secret: joinedSecret({ cookie, key }) }
}

/** What the store has the hash of. */
export function joinedSecret({ cookie, key }: { readonly cookie: string; readonly key: string }): string {
  return `${cookie}.${key}`
}

function cookiesNamed(header: string, name: string): readonly string[] {
  return header.split(';').flatMap((part) => {
    const [key = '', value = ''] = part.trim().split('=', 2)
    return key === name && value !== '' ? [value] : []
  })
}
