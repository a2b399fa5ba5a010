import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { StoreError } from '../record/store-error.ts'
import type { Millis, Store } from './store.ts'

export interface OpenOptions {
  /** The folder of the config, from which a relative path of a SQLite file starts. */
  readonly baseFolder: string
  readonly now: () => Millis
  /** False: the URL is from a config file, so no password from the environment is sent to it. */
  readonly isOwnUrl?: boolean
}

/**
 * Opens `sqlite:path` or `postgres://user@host/database` and migrates its tables. The module of an engine is loaded only
 * when it is used.
 */
export async function openStoreAt(url: string, { baseFolder, now, isOwnUrl = true }: OpenOptions): Promise<Store> {
  if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length) {
    const path = url.slice('sqlite:'.length)
    const { openSqlite } = await import('./sqlite/open-sqlite.ts')
    if (path === ':memory:') return openSqlite(path, { now })
    const file = resolve(baseFolder, path)
    await keepOutOfGit(file)
    return openSqlite(file, { now })
  }
  if (/^postgres(ql)?:\/\//.test(url)) {
    const { openPostgres } = await import('./postgres/open-postgres.ts')
    return openPostgres(url, { now, isOwnUrl })
  }
  // The rest of the URL may contain a password, so it is not repeated.
  const scheme = JSON.stringify(/^[^:]*:?/.exec(url)?.[0] ?? '')
  throw new StoreError('invalid', `store: expected sqlite:PATH or postgres://USER@HOST/DATABASE, got ${scheme}...`)
}

/** The folder of the default store contains questions and replies, which do not belong in a repository. */
async function keepOutOfGit(file: string): Promise<void> {
  if (basename(dirname(file)) !== '.quorate') return
  // If the folder is not writable, opening the store reports it.
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    .then(() => writeFile(join(dirname(file), '.gitignore'), '*\n', { flag: 'wx' }))
    .catch(() => {})
}
