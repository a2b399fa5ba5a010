import type { Store } from '../../store/store.ts'
import { isValid } from './credentials.ts'
import { hashOf, type KnownToken, SESSION_COOKIE } from './identify.ts'
import { isLoopback } from './own-address.ts'

/** Browsers that signed in. */
export interface Sessions {
  /** Null: the token is unknown, expired or revoked. */
  begin(token: string, now: number): Promise<BegunSession | null>
  end(secret: string): Promise<void>
}

export interface BegunSession {
  /** Goes into the cookie and nowhere else. */
  readonly secret: string
  readonly expiresAt: number
  readonly token: KnownToken
}

/** A working week: who signed in on Monday is asked again the next one. */
export const SESSION_MS = 7 * 86_400_000

/** `newSecret`: 32 random bytes as text. */
export function storedSessions(
  { tokens, sessions }: Pick<Store, 'tokens' | 'sessions'>,
  newSecret: () => string,
): Sessions {
  return {
    async begin(presented, now) {
      const token = await tokens.find(hashOf(presented))
      if (token === null || !isValid(token, now)) return null
      const secret = newSecret()
      const expiresAt = Math.min(now + SESSION_MS, token.expiresAt ?? Number.POSITIVE_INFINITY)
      await sessions.create({ hash: hashOf(secret), tokenId: token.id, createdAt: now, expiresAt })
      return { secret, expiresAt, token }
    },
    async end(secret) {
      await sessions.remove(hashOf(secret))
    },
  }
}

/** Only our own pages send it, no script reads it, and off loopback it travels encrypted or not at all. */
export function sessionCookie(
  secret: string,
  { host, maxAge }: { readonly host: string; readonly maxAge: number },
): string {
  const secure = isLoopback(host) ? '' : '; Secure'
  return `${SESSION_COOKIE}=${secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${Math.max(0, Math.floor(maxAge))}${secure}`
}
