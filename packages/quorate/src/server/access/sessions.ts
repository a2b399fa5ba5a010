import { DAY_MS } from '../../record/day.ts'
import type { Store } from '../../store/store.ts'
import { isValid } from './credentials.ts'
import { hashOf, type KnownToken } from './identify.ts'
import { joinedSecret } from './session-cookie.ts'

/** Sessions of browsers that signed in. */
export interface Sessions {
  /** Null: the token is unknown, expired or revoked. */
  begin(token: string, now: number): Promise<BegunSession | null>
  /** `secret` joins the cookie and the key (`joinedSecret`). */
  end(secret: string): Promise<void>
}

export interface BegunSession {
  /** The value of the cookie, which appears nowhere else. */
  readonly cookie: string
  /** Stored by the page. The cookie is worthless without it. */
  readonly key: string
  readonly expiresAt: number
  readonly token: KnownToken
}

/** One week, so that a person who signs in on a Monday signs in again on the next one. */
const SESSION_MS = 7 * DAY_MS

/** `newSecret` returns 32 random bytes as text. */
export function storedSessions({ tokens, sessions }: Store, newSecret: () => string): Sessions {
  return {
    async begin(presented, now) {
      const token = await tokens.find(hashOf(presented))
      if (token === null || !isValid(token, now)) return null
      const [cookie, key] = [newSecret(), newSecret()]
      const expiresAt = Math.min(now + SESSION_MS, token.expiresAt ?? Number.POSITIVE_INFINITY)
      await sessions.create({
        hash: hashOf(joinedSecret({ cookie, key })),
        tokenId: token.id,
        createdAt: now,
        expiresAt,
      })
      return { cookie, key, expiresAt, token }
    },
    async end(secret) {
      await sessions.remove(hashOf(secret))
    },
  }
}
