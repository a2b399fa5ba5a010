import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Engine } from '../engine.ts'
import { affectedBy, rowOf, rowsOf } from '../operation.ts'
import { integer } from '../row-schemas.ts'
import type { LimitLine, LimitStore } from '../shared-store.ts'

const waitSchema = z.object({ waitMicros: integer }).describe('rate limit')
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

/** The database's clock, which goes on within a transaction too. */
const MICROS = sql`(extract(epoch from clock_timestamp()) * 1000000)::bigint`
const MILLIS = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/**
 * Each limit is one row, and every change of it one statement: what comes at the same time waits for the row, so that no
 * two workers are given the same place.
 */
export function createLimitStore(engine: Engine): LimitStore {
  const { queries } = engine
  const query = (statement: RawBuilder<unknown>) => ({ compile: () => statement.compile(queries) })
  const run = async (statement: RawBuilder<unknown>) => {
    await engine.read(() => affectedBy(query(statement)))
  }
  return {
    async take(lines) {
      const taken = async () => await engine.read(() => rowOf(query(takeStatement(lines)), waitSchema))
      const names = sql.join(lines.map(({ name }) => sql`(${name}, 0)`))
      const first = await taken()
      if (first !== null) return first
      await run(sql`insert into rate_limits (name, free_at) values ${names} on conflict do nothing`)
      const row = await taken()
      if (row === null) throw new Error(`limits: the row of ${lines[0]?.name} gave nothing back`)
      return row
    },
    giveBack: ({ name, micros }) =>
      run(sql`update rate_limits set free_at = free_at - ${Math.round(micros)}::bigint where name = ${name}`),
    breakers: () =>
      engine.read(() =>
        rowsOf(
          query(sql`
            select name, failures, rests, rests_until - ${MILLIS} as rests_for_ms, probe_until - ${MILLIS} as probe_for_ms,
              probe_by, paused_until - ${MILLIS} as paused_for_ms, last_error
            from breakers where failures > 0 or rests_until is not null or paused_until > ${MILLIS}`),
          viewSchema,
        ),
      ),
    failed: ({ name, by, error, failures, restMs, mostRestMs }) =>
      run(sql`
        insert into breakers as known (name, failures, rests, rests_until, last_error)
        values (${name}, 1, ${failures <= 1 ? 1 : 0}::bigint,
          case when ${failures}::bigint <= 1 then ${MILLIS} + ${restMs}::bigint end, ${error})
        on conflict (name) do update set
          last_error = ${error},
          failures = case when known.rests_until is null then known.failures + 1 else known.failures end,
          rests = case when ${opens(by, failures)} then known.rests + 1 else known.rests end,
          rests_until = case when ${opens(by, failures)}
            then ${MILLIS} + least(${mostRestMs}::bigint, ${restMs}::bigint * (2 ^ least(known.rests, 30))::bigint)
            else known.rests_until end,
          probe_by = case when known.probe_by = ${by} then null else known.probe_by end,
          probe_until = case when known.probe_by = ${by} then null else known.probe_until end`),
    succeeded: (name) =>
      run(sql`
        update breakers set failures = 0, rests = 0, rests_until = null, probe_by = null, probe_until = null
        where name = ${name} and (failures > 0 or rests_until is not null)`),
    async probe(name, by, forMs) {
      const statement = sql`
        update breakers set probe_by = ${by}, probe_until = ${MILLIS} + ${Math.round(forMs)}::bigint
        where name = ${name} and rests_until <= ${MILLIS} and (probe_until is null or probe_until < ${MILLIS})
        returning 1::bigint as is_ours`
      return (await engine.read(() => rowOf(query(statement), probeSchema))) !== null
    },
    pause: (name, forMs) =>
      run(sql`
        insert into breakers as known (name, failures, rests, paused_until)
        values (${name}, 0, 0, ${MILLIS} + ${Math.round(forMs)}::bigint)
        on conflict (name) do update
          set paused_until = greatest(known.paused_until, ${MILLIS} + ${Math.round(forMs)}::bigint)`),
  }
}

/**
 * The generic cell rate algorithm: a row holds when the next unit is due. Whoever keeps several rates takes one place in
 * all of them, so that a wait for one does not bunch up what the others had spread. Nothing where a row is missing.
 */
function takeStatement(lines: readonly LimitLine[]): RawBuilder<unknown> {
  const wanted = lines.map(({ name, amount, intervalMicros, burst }) => {
    const cost = Math.round(amount * intervalMicros)
    const rest = Math.round((burst - 1) * intervalMicros)
    return sql`(${name}, ${cost}::bigint, ${rest}::bigint)`
  })
  return sql`
    with wanted (name, cost, rest) as (values ${sql.join(wanted)}),
    locked as materialized (
      select known.name, known.free_at, wanted.rest from rate_limits known join wanted on wanted.name = known.name
      order by known.name for update of known
    ), place as materialized (
      select max(greatest(free_at, ${MICROS} - rest)) as at from locked having count(*) = ${lines.length}::bigint
    )
    update rate_limits known set free_at = place.at + wanted.cost
    from wanted, place where known.name = wanted.name
    returning place.at - ${MICROS} as wait_micros`
}

/** Enough failures in a row while it was closed, or the probe of this worker that failed. */
function opens(by: string, failures: number): RawBuilder<unknown> {
  return sql`(known.rests_until is null and known.failures + 1 >= ${failures}::bigint) or known.probe_by = ${by}`
}
