import { resolve } from 'node:path'
import { StoreError } from '../record/store-error.ts'
import type { Millis, Store } from './store.ts'

export interface OpenOptions {
  /** Folder that a relative path of a SQLite file starts from: the config's. */
  readonly baseFolder: string
  readonly now: () => Millis
  /** False: the URL is from a config file, which gets nothing of the environment. */
  readonly isOwnUrl?: boolean
}

/**
 * Opens `sqlite:path` or `postgres://user@host/database` and brings its tables up to date. An engine is loaded only when
 * it is used.
 */
export async function openStore(url: string, { baseFolder, now, isOwnUrl = true }: OpenOptions): Promise<Store> {
  if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length) {
    const path = url.slice('sqlite:'.length)
    const { openSqlite } = await import('./sqlite/open-sqlite.ts')
    return openSqlite(path === ':memory:' ? path : resolve(baseFolder, path), { now })
  }
  if (/^postgres(ql)?:\/\//.test(url)) {
    const { openPostgres } = await import('./postgres/open-postgres.ts')
    return openPostgres(url, { now, isOwnUrl })
  }
  // The rest of the URL is not repeated: it may hold a password.
  const scheme = JSON.stringify(/^[^:]*:?/.exec(url)?.[0] ?? '')
  throw new StoreError('invalid', `store: expected sqlite:PATH or postgres://USER@HOST/DATABASE, got ${scheme}...`)
}
