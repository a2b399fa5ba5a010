import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Engine } from '../engine.ts'
import { affectedBy, rowOf, rowsOf } from '../operation.ts'
import { integer } from '../row-schemas.ts'
import type { LimitStore } from '../shared-store.ts'
import { DATABASE_NOW } from './postgres-queries.ts'

const probeSchema = z.object({ isOurs: integer }).describe('breaker')
const viewSchema = z
  .object({
    name: z.string(),
    failures: integer,
    rests: integer,
    restsForMs: integer.nullable(),
    probeForMs: integer.nullable(),
    probeBy: z.string().nullable(),
    pausedForMs: integer.nullable(),
    lastError: z.string().nullable(),
  })
  .describe('breaker')

/**
 * The longest rest or pause that is ever written. A time further ahead was written before the clock was set back, and would
 * otherwise last until the clock reaches it.
 */
const MOST_AHEAD_MS = 600_000

/** Each model and each provider has one row, and each change is one statement, so concurrent changes wait for the row. */
export function createLimitStore(engine: Engine): LimitStore {
  const { queries } = engine
  const query = (statement: RawBuilder<unknown>) => ({ compile: () => statement.compile(queries) })
  const run = async (statement: RawBuilder<unknown>) => {
    await engine.read(() => affectedBy(query(statement)))
  }
  return {
    breakers: () =>
      engine.read(() =>
        rowsOf(
          query(sql`
            select name, failures, rests, ${plausible('rests_until')} - ${DATABASE_NOW} as rests_for_ms, probe_until - ${DATABASE_NOW} as probe_for_ms,
              probe_by, ${plausible('paused_until')} - ${DATABASE_NOW} as paused_for_ms, last_error
            from breakers where failures > 0 or rests_until is not null or paused_until > ${DATABASE_NOW}`),
          viewSchema,
        ),
      ),
    failed: ({ name, by, error, failures, restMs, mostRestMs }) =>
      run(sql`
        insert into breakers as known (name, failures, rests, rests_until, last_error)
        values (${name}, 1, ${failures <= 1 ? 1 : 0}::bigint,
          case when ${failures}::bigint <= 1 then ${DATABASE_NOW} + ${restMs}::bigint end, ${error})
        on conflict (name) do update set
          last_error = ${error},
          failures = case when known.rests_until is null then known.failures + 1 else known.failures end,
          rests = case when ${opens(by, failures)} then known.rests + 1 else known.rests end,
          rests_until = case when ${opens(by, failures)}
            then ${DATABASE_NOW} + least(${mostRestMs}::bigint, ${restMs}::bigint * (2 ^ least(known.rests, 30))::bigint)
            else known.rests_until end,
          probe_by = case when known.probe_by = ${by} then null else known.probe_by end,
          probe_until = case when known.probe_by = ${by} then null else known.probe_until end`),
    succeeded: (name) =>
      run(sql`
        update breakers set failures = 0, rests = 0, rests_until = null, probe_by = null, probe_until = null
        where name = ${name} and (failures > 0 or rests_until is not null)`),
    async probe(name, by, forMs) {
      const statement = sql`
        update breakers set probe_by = ${by}, probe_until = ${DATABASE_NOW} + ${Math.round(forMs)}::bigint
        where name = ${name} and ${plausible('rests_until')} <= ${DATABASE_NOW}
          and (probe_until is null or probe_until not between ${DATABASE_NOW} and ${DATABASE_NOW} + ${Math.round(forMs)}::bigint)
        returning 1::bigint as is_ours`
      return (await engine.read(() => rowOf(query(statement), probeSchema))) !== null
    },
    pause(name, forMs) {
      const until = sql`${DATABASE_NOW} + ${Math.round(Math.min(forMs, MOST_AHEAD_MS))}::bigint`
      return run(sql`
        insert into breakers as known (name, failures, rests, paused_until) values (${name}, 0, 0, ${until})
        on conflict (name) do update set paused_until = greatest(${plausible('known.paused_until')}, ${until})`)
    },
  }
}

/** The time in a column, or now if it is implausibly far ahead. */
function plausible(column: 'rests_until' | 'paused_until' | 'known.paused_until'): RawBuilder<unknown> {
  const time = sql.ref(column)
  return sql`(case when ${time} > ${DATABASE_NOW} + ${MOST_AHEAD_MS}::bigint then ${DATABASE_NOW} else ${time} end)`
}

/** Whether a failure opens the breaker: it was the last of enough failures in a row, or this worker's probe failed. */
function opens(by: string, failures: number): RawBuilder<unknown> {
  return sql`(known.rests_until is null and known.failures + 1 >= ${failures}::bigint) or known.probe_by = ${by}`
}
