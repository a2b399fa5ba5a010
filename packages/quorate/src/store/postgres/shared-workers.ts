import { sql } from 'kysely'
import { z } from 'zod'
import type { Engine } from '../engine.ts'
import { affectedBy, rowsOf } from '../operation.ts'
import { integer, jsonText } from '../row-schemas.ts'
import type { WorkerStore } from '../shared-store.ts'
import { firstStatistics } from './first-statistics.ts'

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

export function createWorkerStore(engine: Engine): WorkerStore {
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
