import type { Pool } from 'pg'
import type { Engine } from '../engine.ts'
import type { SharedStore } from '../shared-store.ts'
import { storeErrorOfPostgres } from './postgres-errors.ts'
import { createSharedCallStore } from './shared-calls.ts'
import { createLimitStore } from './shared-limits.ts'
import { createSharedRunStore } from './shared-runs.ts'
import { createWorkerStore } from './shared-workers.ts'

export function createSharedStore(engine: Engine, pool: Pool, place: string): SharedStore {
  return {
    runs: createSharedRunStore(engine, pool, place),
    calls: createSharedCallStore(engine),
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
