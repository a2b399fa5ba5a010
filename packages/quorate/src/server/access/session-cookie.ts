import { SESSION_KEY_HEADER } from '../../contract/session.ts'
import type { HeaderOf } from './identify.ts'

/**
 * Over TLS the prefix prevents other hosts of the domain from setting the cookie. Browsers accept the prefix only with Secure.
 */
export function sessionCookieName(isSecure: boolean): string {
  return isSecure ? '__Host-quorate-session' : 'quorate-session'
}

/** Only the server's own pages send it, no script can read it, and if it is Secure it is only sent encrypted. */
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
  /** `secret` joins the cookie and the key. */
  | { readonly kind: 'one'; readonly secret: string }

/**
 * Browsers send a cookie to every port of a host, and every port can set it. The page stores the key for its own origin only.
 * So a program on another port, which receives or sets the cookie, never has both halves of a session.
 */
export function presentedSession(headerOf: HeaderOf, isSecure: boolean): PresentedSession {
  const [cookie, ...others] = cookiesNamed(headerOf('cookie') ?? '', sessionCookieName(isSecure))
  const key = headerOf(SESSION_KEY_HEADER)
  if (cookie === undefined) return { kind: 'none' }
  if (others.length > 0) return { kind: 'doubled' }
  return key === undefined || key === '' ? { kind: 'none' } : { kind: 'one', secret: joinedSecret({ cookie, key }) }
}

/** The secret of a session, of which the store has the hash. */
export function joinedSecret({ cookie, key }: { readonly cookie: string; readonly key: string }): string {
  return `${cookie}.${key}`
}

function cookiesNamed(header: string, name: string): readonly string[] {
  return header.split(';').flatMap((part) => {
    const [key = '', value = ''] = part.trim().split('=', 2)
    return key === name && value !== '' ? [value] : []
  })
}
