import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Engine } from '../engine.ts'
import { affectedBy, rowOf, rowsOf } from '../operation.ts'
import { preparedQuery, type QueryValues } from '../prepared-query.ts'
import { integer } from '../row-schemas.ts'
import type { LimitLine, LimitStore } from '../shared-store.ts'

const waitSchema = z.object({ waitMicros: integer, clockMicros: integer }).describe('rate limit')
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
 * No rest is longer, and no pause is written longer. What is further ahead was written before the clock was set back, and
 * nothing but this would end it.
 */
const MOST_AHEAD_MS = 600_000

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
  const taking = preparedQuery(TAKING, (values: QueryValues) => query(takeStatement(values)))
  return {
    async take(lines) {
      const taken = async () => await engine.read(() => rowOf(taking(takingOf(lines)), waitSchema))
      const names = sql.join(lines.map(({ name }) => sql`(${name}, 0, 0)`))
      const first = await taken()
      if (first !== null) return first
      await run(sql`insert into rate_limits (name, free_at, seen_at) values ${names} on conflict do nothing`)
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
            select name, failures, rests, ${honest('rests_until')} - ${MILLIS} as rests_for_ms, probe_until - ${MILLIS} as probe_for_ms,
              probe_by, ${honest('paused_until')} - ${MILLIS} as paused_for_ms, last_error
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
        where name = ${name} and ${honest('rests_until')} <= ${MILLIS}
          and (probe_until is null or probe_until not between ${MILLIS} and ${MILLIS} + ${Math.round(forMs)}::bigint)
        returning 1::bigint as is_ours`
      return (await engine.read(() => rowOf(query(statement), probeSchema))) !== null
    },
    pause(name, forMs) {
      const until = sql`${MILLIS} + ${Math.round(Math.min(forMs, MOST_AHEAD_MS))}::bigint`
      return run(sql`
        insert into breakers as known (name, failures, rests, paused_until) values (${name}, 0, 0, ${until})
        on conflict (name) do update set paused_until = greatest(${honest('known.paused_until')}, ${until})`)
    },
  }
}

const TAKING = ['names', 'costs', 'rests'] as const

function takingOf(lines: readonly LimitLine[]): Record<(typeof TAKING)[number], readonly (string | number)[]> {
  return {
    names: lines.map(({ name }) => name),
    costs: lines.map(({ amount, intervalMicros }) => Math.round(amount * intervalMicros)),
    // After a rest the burst goes at once: what this one takes itself is part of it.
    rests: lines.map(({ amount, intervalMicros, burst }) => Math.round(Math.max(0, burst - amount) * intervalMicros)),
  }
}

/**
 * The generic cell rate algorithm: a row holds when the next unit is due. Whoever keeps several rates takes one place in
 * all of them, so that a wait for one does not bunch up what the others had spread. The clock is read when all rows are
 * locked; where it shows less than it did, it was set back, and the line with it. Nothing where a row is missing.
 */
function takeStatement({ names, costs, rests }: QueryValues): RawBuilder<unknown> {
  return sql`
    with wanted as materialized (
      select * from unnest(${names}::text[], ${costs}::bigint[], ${rests}::bigint[]) as line (name, cost, rest)
    ), locked as materialized (
      select known.name, known.free_at, known.seen_at, wanted.rest
      from rate_limits known join wanted on wanted.name = known.name
      order by known.name for update of known
    ), clock as materialized (
      select ${MICROS} as clock from locked having count(*) = (select count(*) from wanted)
    ), place as materialized (
      select max(greatest(free_at - greatest(0, seen_at - clock), clock - rest)) as at, clock
      from locked, clock group by clock
    )
    update rate_limits known set free_at = place.at + wanted.cost, seen_at = place.clock
    from wanted, place where known.name = wanted.name
    returning place.at - place.clock as wait_micros, place.clock as clock_micros`
}

/** A time in milliseconds; now, where it cannot be meant. */
function honest(column: 'rests_until' | 'paused_until' | 'known.paused_until'): RawBuilder<unknown> {
  const time = sql.ref(column)
  return sql`(case when ${time} > ${MILLIS} + ${MOST_AHEAD_MS}::bigint then ${MILLIS} else ${time} end)`
}

/** Enough failures in a row while it was closed, or the probe of this worker that failed. */
function opens(by: string, failures: number): RawBuilder<unknown> {
  return sql`(known.rests_until is null and known.failures + 1 >= ${failures}::bigint) or known.probe_by = ${by}`
}
