import { createStore } from '../../src/store/create-store.ts'
import type { Engine } from '../../src/store/engine.ts'
import { connectPool } from '../../src/store/postgres/connect-pool.ts'
import { openPostgres, type PostgresOptions } from '../../src/store/postgres/open-postgres.ts'
import { createPostgresEngine } from '../../src/store/postgres/postgres-engine.ts'
import { openSqliteEngine, type SqliteOptions } from '../../src/store/sqlite/open-sqlite.ts'
import type { Store } from '../../src/store/store.ts'

const engines = new WeakMap<Store, Engine>()

/** The engine of a store that a test opened here, for rows that the product writes or reads only together with others. */
export function engineOf(store: Store): Engine {
  const engine = engines.get(store)
  if (engine === undefined) throw new Error('engineOf: open the store with openedSqlite or openedPostgres')
  return engine
}

export function openedSqlite(file: string, options: SqliteOptions): Store {
  const engine = openSqliteEngine(file, options)
  const store = createStore(engine)
  engines.set(store, engine)
  return store
}

/** The engine has connections of its own, which end with the store. */
export async function openedPostgres(url: string, options: PostgresOptions): Promise<Store> {
  const opened = await openPostgres(url, options)
  const pool = connectPool(url, { connections: 2, isOwnUrl: true })
  const store = {
    ...opened,
    async close() {
      await opened.close()
      if (!pool.ending) await pool.end()
    },
  }
  engines.set(store, createPostgresEngine(pool, url))
  return store
}
