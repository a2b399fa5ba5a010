import { type RawBuilder, sql } from 'kysely'
import type { Pool } from 'pg'
import { z } from 'zod'
import type { Engine } from '../engine.ts'
import { affectedBy, rowOf, rowsOf } from '../operation.ts'
import { integer, jsonText } from '../row-schemas.ts'
import type { SharedStore, WorkerStore } from '../shared-store.ts'
import { createPostgresEngine } from './postgres-engine.ts'
import { storeErrorOfPostgres } from './postgres-errors.ts'
import { DATABASE_NOW } from './postgres-queries.ts'
import { createSharedCallStore } from './shared-calls.ts'
import { createIntakeStore } from './shared-intake.ts'
import { createLimitStore } from './shared-limits.ts'
import { createSharedRunStore } from './shared-runs.ts'

export interface SharedPools {
  readonly pool: Pool
  /** For the statements that every call runs. */
  readonly calls: Pool
  /** For the session of a worker. It has one connection. */
  readonly sessions: Pool
  readonly place: string
}

export function createSharedStore(engine: Engine, { pool, calls, sessions, place }: SharedPools): SharedStore {
  const fixedPlans = createPostgresEngine(calls, place)
  return {
    runs: createSharedRunStore(engine, fixedPlans, pool, place),
    intake: createIntakeStore(engine, pool, place),
    calls: createSharedCallStore(fixedPlans),
    limits: createLimitStore(engine),
    workers: createWorkerStore(engine, sessions),
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
    jobs: jsonText,
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

const goneSchema = workerSchema.pick({ id: true, name: true, queues: true, jobs: true })

function createWorkerStore(engine: Engine, sessions: Pool): WorkerStore {
  const { queries } = engine
  const analyzeOnce = firstAnalyze(engine)
  let isAnalyzed = false
  return {
    async seen(worker) {
      const { id: _, startedAt: __, ...changing } = worker
      const insert = queries.insertInto('workers').values({ ...worker, jobs: '[]', seenAt: DATABASE_NOW })
      const seen = insert.onConflict((conflict) =>
        conflict.column('id').doUpdateSet({ ...changing, seenAt: DATABASE_NOW }),
      )
      await engine.read(() => affectedBy(seen))
      if (!isAnalyzed) isAnalyzed = await analyzeOnce()
    },
    list: (withinMs) => {
      const recent = queries.selectFrom('workers').selectAll().select(sql`${DATABASE_NOW} - seen_at`.as('silentMs'))
      const query = recent
        .where('seenAt', '>', sql<number>`${DATABASE_NOW} - ${Math.round(withinMs)}::bigint`)
        .orderBy('id')
      return engine.read(() => rowsOf(query, workerSchema))
    },
    keepSession: createSession(sessions),
    async keepJobs(id, jobs) {
      await engine.writeOne(queries.updateTable('workers').set({ jobs }).where('id', '=', id))
    },
    gone: (silentMs) => {
      const silent = queries
        .selectFrom('workers')
        .select(['id', 'name', 'queues', 'jobs'])
        .where('endedAt', 'is', null)
        .where('jobs', '!=', '[]')
        .where('seenAt', '<=', sql<number>`${DATABASE_NOW} - ${Math.round(silentMs)}::bigint`)
        .where(sql<boolean>`not exists (select from pg_locks where locktype = 'advisory' and granted
          and database = (select oid from pg_database where datname = current_database())
          and objsubid = 1 and ((classid::bigint << 32) | objid::bigint) = ${sessionKey(sql.ref('workers.id'))})`)
      return engine.read(() => rowsOf(silent.orderBy('id'), goneSchema))
    },
  }
}

/** The key of a worker's advisory lock, distinct from other locks. It has 64 bits, which `pg_locks` shows in two columns. */
function sessionKey(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`hashtextextended('session of worker ' || ${id}, 0)`
}

/** An advisory lock that lasts as long as its connection. The database releases it when the process ends, for any reason. */
function createSession(sessions: Pool): WorkerStore['keepSession'] {
  let isKept = false
  return async (id) => {
    if (isKept) return false
    const client = await sessions.connect()
    client.once('end', () => {
      isKept = false
    })
    try {
      await client.query(`select pg_advisory_lock(hashtextextended('session of worker ' || $1::text, 0))`, [id])
      isKept = true
      // The connection stays open with its lock, because this pool has no other user and keeps idle connections.
      client.release()
      return true
    } catch (error) {
      client.release(true)
      throw error
    }
  }
}

/** A smaller table is not worth analyzing. */
const ENOUGH_BYTES = 65_536

const stateSchema = z.object({ known: integer, bytes: integer }).describe('statistics of calls')

/**
 * Without statistics of a table, the planner considers any index as good as any other. The database collects them by itself
 * within minutes, but the first workers on a new database cannot wait for that. Returns true when nothing is left to do.
 */
function firstAnalyze({ queries, read }: Engine): () => Promise<boolean> {
  const compiled = (statement: ReturnType<typeof sql>) => ({ compile: () => statement.compile(queries) })
  const state = compiled(sql`
    select (reltuples > 0)::int::bigint as known, pg_relation_size(oid) as bytes
    from pg_class where oid = 'calls'::regclass`)
  const analyze = compiled(sql`analyze runs, shared_runs, run_questions, calls`)
  return async () => {
    const { known, bytes } = (await read(() => rowOf(state, stateSchema))) ?? { known: 1, bytes: 0 }
    if (known === 1) return true
    if (bytes < ENOUGH_BYTES) return false
    await read(() => affectedBy(analyze))
    return true
  }
}
