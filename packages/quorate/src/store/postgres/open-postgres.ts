import type pg from 'pg'
import { postgresPlace } from '../../config/postgres-place.ts'
import { StoreError } from '../../record/store-error.ts'
import { createStore } from '../create-store.ts'
import { ALL_MIGRATIONS } from '../migrations/first-schema.ts'
import {
  applyMigration,
  type Migration,
  type MigrationPlan,
  nextMigration,
  readApplied,
} from '../migrations/migrate.ts'
import { type Steps, take } from '../operation.ts'
import type { Millis, Store } from '../store.ts'
import { connectPool } from './connect-pool.ts'
import { createSharedStore, type SharedPools } from './create-shared.ts'
import { createPostgresEngine, transaction } from './postgres-engine.ts'
import { storeErrorOfPostgres } from './postgres-errors.ts'
import { POSTGRES_TYPES, postgresQueries } from './postgres-queries.ts'

export interface PostgresOptions {
  readonly now: () => Millis
  /** Overrides the number of connections in the URL. */
  readonly connections?: number
  /** False: the URL is from a config file, so no password from the environment is sent to it. */
  readonly isOwnUrl?: boolean
  /** Replaces the released migrations in tests. */
  readonly migrations?: readonly Migration[]
}

/** Connects and migrates the tables. */
export async function openPostgres(url: string, options: PostgresOptions): Promise<Store> {
  const found = postgresPlace(url)
  if (found.kind === 'refused') throw new StoreError('invalid', `store: expected ${found.expected}`)
  const place = found.text
  const { connections: all = found.connections, isOwnUrl = true } = options
  // Half of them are for calls, whose connections have settings of their own.
  const connections = Math.ceil(all / 2)
  const pool = connectPool(url, { connections, isOwnUrl })
  try {
    await migratePostgres(pool, place, {
      queries: postgresQueries(),
      types: POSTGRES_TYPES,
      migrations: options.migrations ?? ALL_MIGRATIONS,
      now: options.now,
    })
    const calls = connectPool(url, { connections, isOwnUrl, hasFixedPlans: true })
    return storeOver({ pool, calls, sessions: connectPool(url, { connections: 1, isOwnUrl, isLasting: true }), place })
  } catch (error) {
    await pool.end()
    throw storeErrorOfPostgres(error, place)
  }
}

/** The pools `calls` and `sessions` connect only when a worker uses them. */
function storeOver({ pool, calls, sessions, place }: SharedPools): Store {
  const engine = createPostgresEngine(pool, place)
  const store = createStore(engine, createSharedStore(engine, { pool, calls, sessions, place }))
  return {
    ...store,
    async close() {
      await store.close()
      if (!calls.ending) await calls.end()
      if (!sessions.ending) await sessions.end()
    },
  }
}

/** Applies each migration in a transaction of its own. Another process that connects waits for the lock. */
async function migratePostgres(pool: pg.Pool, place: string, plan: MigrationPlan): Promise<void> {
  const lock = createPostgresEngine(pool, place).lock('quorate migration')
  function* migrateOnce(): Steps<boolean> {
    yield* take(lock)
    const migration = nextMigration(plan.migrations, yield* readApplied(plan), `store ${place}`)
    if (migration !== null) yield* applyMigration(plan, migration)
    return migration !== null
  }
  let hasMigrated = true
  while (hasMigrated) hasMigrated = await transaction(pool, migrateOnce)
}
