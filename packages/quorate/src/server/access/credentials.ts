import { pages } from '../../run/pages.ts'
import type { StoredToken } from '../../store/access.ts'
import type { Store } from '../../store/store.ts'
import type { Credentials, KnownToken } from './identify.ts'

/** The last use of a token is recorded to the minute, so that not every request writes. */
const TOUCH_EVERY_MS = 60_000

/** Looks up tokens and sessions in the store and ignores expired and revoked ones. */
export function storedCredentials(
  { tokens, sessions }: Store,
  report: (words: string, cause: unknown) => void,
): Credentials {
  const used = (token: StoredToken, now: number): KnownToken => {
    if (now - (token.lastUsedAt ?? 0) >= TOUCH_EVERY_MS) {
      tokens.touch(token.id, now).catch((cause: unknown) => report('a token could not be marked as used', cause))
    }
    return token
  }
  return {
    async byToken(hash, now) {
      const token = await tokens.find(hash)
      return token !== null && isValid(token, now) ? used(token, now) : null
    },
    async bySession(hash, now) {
      const found = await sessions.find(hash)
      if (found === null || found.session.expiresAt <= now || !isValid(found.token, now)) return null
      return used(found.token, now)
    },
  }
}

export function isValid({ expiresAt, revokedAt }: StoredToken, now: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now)
}

/** Every token, including expired and revoked ones. */
export async function allTokens({ tokens }: Store): Promise<readonly StoredToken[]> {
  const rows = pages<StoredToken, string | null>(
    (page) => tokens.list(page),
    null,
    ({ id }) => id,
  )
  const all: StoredToken[] = []
  for await (const token of rows) all.push(token)
  return all
}
