import type { Pool } from 'pg'
import type { Engine } from '../engine.ts'
import type { SharedStore } from '../shared-store.ts'
import { createPostgresEngine } from './postgres-engine.ts'
import { storeErrorOfPostgres } from './postgres-errors.ts'
import { createSharedCallStore } from './shared-calls.ts'
import { createIntakeStore } from './shared-intake.ts'
import { createLimitStore } from './shared-limits.ts'
import { createSharedRunStore } from './shared-runs.ts'
import { createWorkerStore } from './shared-workers.ts'

export interface SharedPools {
  readonly pool: Pool
  /** Of the statements that every call makes. */
  readonly calls: Pool
  readonly place: string
}

export function createSharedStore(engine: Engine, { pool, calls, place }: SharedPools): SharedStore {
  const fixed = createPostgresEngine(calls, place)
  return {
    runs: createSharedRunStore(engine, { pool, fixed, place }),
    intake: createIntakeStore(engine, { pool, place }),
    calls: createSharedCallStore(fixed),
    limits: createLimitStore(engine),
    workers: createWorkerStore(engine),
    jobs: {
      executeSql: (text, values) =>
        pool.query<Record<string, unknown>>(text, values).catch((error: unknown) => {
          throw storeErrorOfPostgres(error, place)
        }),
    },
  }
}
