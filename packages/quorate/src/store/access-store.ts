import { sql } from 'kysely'
import { z } from 'zod'
import { StoreError } from '../record/store-error.ts'
import type { SessionStore, StoredSession, StoredToken, TokenStore } from './access.ts'
import { checkedLimit } from './checked-input.ts'
import { appendEntry } from './decisions/ledger-store.ts'
import type { Engine } from './engine.ts'
import { affectedBy, rowOf, rowsOf, type Steps, take } from './operation.ts'
import { perEngine } from './per-engine.ts'
import { preparedQuery } from './prepared-query.ts'
import { integer } from './row-schemas.ts'
import type { LedgerEntry, Millis } from './store.ts'

const tokenSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    role: z.enum(['viewer', 'reviewer', 'admin']),
    kind: z.enum(['human', 'machine']),
    hash: z.string(),
    createdAt: integer,
    expiresAt: integer.nullable(),
    revokedAt: integer.nullable(),
    lastUsedAt: integer.nullable(),
    madeBy: z.string().nullable(),
  })
  .describe('token')

const sessionSchema = z
  .object({ hash: z.string(), tokenId: z.string(), createdAt: integer, expiresAt: integer })
  .describe('session')

export function createTokenStore(engine: Engine): TokenStore {
  const tokens = engine.queries.selectFrom('tokens').selectAll()
  return {
    create: (token, entry) => engine.write(() => createToken(engine, token, entry)),
    find: (hash) => engine.read(() => rowOf(byHash(engine)({ hash }), tokenSchema)),
    findById: (id) => engine.read(() => rowOf(tokens.where('id', '=', id), tokenSchema)),
    list: async ({ after, limit }) => {
      const later = after === null ? tokens : tokens.where('id', '>', after)
      return engine.read(() => rowsOf(later.orderBy('id').limit(checkedLimit(limit)), tokenSchema))
    },
    revoke: (id, at, entry) => engine.write(() => revoke(engine, id, at, entry)),
    touch: async (id, at) => {
      await engine.writeOne(engine.queries.updateTable('tokens').set({ lastUsedAt: at }).where('id', '=', id))
    },
  }
}

/** Runs for every request that has a token. */
const byHash = perEngine((queries) =>
  preparedQuery(['hash'], ({ hash }: { readonly hash: string }) =>
    queries.selectFrom('tokens').selectAll().where('hash', '=', hash),
  ),
)

export function createSessionStore(engine: Engine): SessionStore {
  const { queries } = engine
  return {
    create: async (session) => {
      await engine.writeOne(queries.insertInto('sessions').values(session))
    },
    find: (hash) => engine.read(() => findSession(engine, hash)),
    remove: async (hash) => (await engine.writeOne(queries.deleteFrom('sessions').where('hash', '=', hash))) > 0,
  }
}

function* createToken(engine: Engine, token: Parameters<TokenStore['create']>[0], entry?: LedgerEntry): Steps<void> {
  yield* take(engine.lock('tokens'))
  const { queries } = engine
  const named = queries.selectFrom('tokens').selectAll().where('name', '=', token.name).where('revokedAt', 'is', null)
  if ((yield* rowsOf(named, tokenSchema)).length > 0) {
    const name = JSON.stringify(token.name)
    throw new StoreError('exists', `store: a token for ${name} exists: choose another name, or revoke that token`)
  }
  const query = queries.insertInto('tokens').values({ madeBy: null, ...token, revokedAt: null, lastUsedAt: null })
  if ((yield* affectedBy(query.onConflict((conflict) => conflict.doNothing()))) > 0) {
    if (entry !== undefined) yield* appendEntry(engine, entry)
    return
  }
  throw new StoreError('exists', `store: token ${token.id} exists`)
}

function* revoke(engine: Engine, id: string, at: Millis, entry?: LedgerEntry): Steps<boolean> {
  const { queries } = engine
  yield* affectedBy(queries.deleteFrom('sessions').where('tokenId', '=', id))
  const query = queries.updateTable('tokens').set({ revokedAt: at }).where('id', '=', id).where('revokedAt', 'is', null)
  if ((yield* affectedBy(query)) === 0) return false
  // This was the only valid token of the name. Items assigned to it would wait for a person who cannot sign in.
  const named = queries.selectFrom('tokens').select('name').where('id', '=', id)
  const assigned = queries.updateTable('reviews').set({ queue: sql.ref<'blind' | 'open'>('list') })
  yield* affectedBy(assigned.where('queue', '=', 'assigned').where('assignedTo', '=', named))
  if (entry !== undefined) yield* appendEntry(engine, entry)
  return true
}

function* findSession(
  { queries }: Engine,
  hash: string,
): Steps<{ readonly session: StoredSession; readonly token: StoredToken } | null> {
  const session = yield* rowOf(queries.selectFrom('sessions').selectAll().where('hash', '=', hash), sessionSchema)
  if (session === null) return null
  const ofId = queries.selectFrom('tokens').selectAll().where('id', '=', session.tokenId)
  const token = yield* rowOf(ofId, tokenSchema)
  return token === null ? null : { session, token }
}
