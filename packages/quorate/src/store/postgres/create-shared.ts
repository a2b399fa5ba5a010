import { sql } from 'kysely'
import type { Pool } from 'pg'
import { z } from 'zod'
import type { Engine } from '../engine.ts'
import { affectedBy, rowOf, rowsOf } from '../operation.ts'
import { integer, jsonText } from '../row-schemas.ts'
import type { SharedStore, WorkerStore } from '../shared-store.ts'
import { createPostgresEngine } from './postgres-engine.ts'
import { storeErrorOfPostgres } from './postgres-errors.ts'
import { createSharedCallStore } from './shared-calls.ts'
import { createIntakeStore } from './shared-intake.ts'
import { createLimitStore } from './shared-limits.ts'
import { createSharedRunStore } from './shared-runs.ts'

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

const workerSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    version: z.string(),
    queues: jsonText,
    startedAt: integer,
    seenAt: integer,
    endedAt: integer.nullable(),
    debates: integer,
    inFlight: integer,
    ended: integer,
    answered: integer,
    takenOver: integer,
    silentMs: integer,
  })
  .describe('worker')

const MILLIS = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

function createWorkerStore(engine: Engine): WorkerStore {
  const { queries } = engine
  const countFirst = firstStatistics(engine)
  let isCounted = false
  return {
    async seen(worker) {
      const { id: _, startedAt: __, ...changing } = worker
      const insert = queries.insertInto('workers').values({ ...worker, seenAt: MILLIS })
      const seen = insert.onConflict((conflict) => conflict.column('id').doUpdateSet({ ...changing, seenAt: MILLIS }))
      await engine.read(() => affectedBy(seen))
      if (!isCounted) isCounted = await countFirst()
    },
    list: (withinMs) => {
      const recent = queries.selectFrom('workers').selectAll().select(sql`${MILLIS} - seen_at`.as('silentMs'))
      const query = recent.where('seenAt', '>', sql<number>`${MILLIS} - ${Math.round(withinMs)}::bigint`).orderBy('id')
      return engine.read(() => rowsOf(query, workerSchema))
    },
  }
}

const BYTES = 65_536

const stateSchema = z.object({ known: integer, bytes: integer }).describe('statistics of calls')

/**
 * A planner that has not counted a table takes any index for as good as any other. The database counts by itself, within
 * minutes; the first workers on a new one do not wait for that. Returns whether there is nothing left to do.
 */
function firstStatistics({ queries, read }: Engine): () => Promise<boolean> {
  const compiled = (statement: ReturnType<typeof sql>) => ({ compile: () => statement.compile(queries) })
  const state = compiled(sql`
    select (reltuples > 0)::int::bigint as known, pg_relation_size(oid) as bytes
    from pg_class where oid = 'calls'::regclass`)
  const count = compiled(sql`analyze runs, shared_runs, run_questions, calls`)
  return async () => {
    const { known, bytes } = (await read(() => rowOf(state, stateSchema))) ?? { known: 1, bytes: 0 }
    if (known === 1) return true
    if (bytes < BYTES) return false
    await read(() => affectedBy(count))
    return true
  }
}
