import { sql } from 'kysely'
import { z } from 'zod'
import type { Engine } from '../engine.ts'
import { affectedBy, rowOf } from '../operation.ts'
import { integer } from '../row-schemas.ts'

const BYTES = 65_536

const stateSchema = z.object({ known: integer, bytes: integer }).describe('statistics of calls')

/**
 * A planner that has not counted a table takes any index for as good as any other. The database counts by itself, within
 * minutes; the first workers on a new one do not wait for that. Returns whether there is nothing left to do.
 */
export function firstStatistics({ queries, read }: Engine): () => Promise<boolean> {
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
