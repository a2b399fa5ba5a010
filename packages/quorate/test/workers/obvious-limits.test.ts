import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LimitStore } from '../../src/store/shared-store.ts'
import { privatePostgres } from '../store/private-postgres.ts'
import { costOf, type ObviousLine, obviousLine, restOf } from '../traffic/obvious-limiter.ts'

const postgres = await privatePostgres()

type Step =
  | { readonly kind: 'take'; readonly amounts: readonly (number | null)[] }
  | { readonly kind: 'give-back'; readonly line: number; readonly micros: number }
  /** Everything so far is longer ago. */
  | { readonly kind: 'rest'; readonly micros: number }

interface Compared {
  readonly limits: LimitStore
  readonly lines: readonly ObviousLine[]
  readonly schema: string
}

/** So high that nothing here is ten minutes ahead. */
const RATES = [
  { name: 'requests p', intervalMicros: 500_000, burst: 2 },
  { name: 'tokens p', intervalMicros: 35_000.5, burst: 40 },
] as const

const amount = fc.option(fc.integer({ min: 0, max: 60 }), { freq: 3 })
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.tuple(amount, amount).map((amounts): Step => ({ kind: 'take', amounts })) },
    {
      weight: 1,
      arbitrary: fc
        .record({ line: fc.integer({ min: 0, max: 1 }), micros: fc.integer({ min: -90_000, max: 900_000 }) })
        .map((given): Step => ({ kind: 'give-back', ...given })),
    },
    {
      weight: 2,
      arbitrary: fc.integer({ min: 1, max: 6_000_000 }).map((micros): Step => ({ kind: 'rest', micros })),
    },
  ),
  { minLength: 4, maxLength: 14 },
)

if (postgres.kind === 'absent') {
  test.skip(`the limiter of the database: ${postgres.reason}`, () => {})
} else {
  const { admin } = postgres

  test('gives the places that plain bookkeeping over all of them gives, in one line and in two together', async () => {
    const { url, schema } = await postgres.freshUrl()
    const { openPostgres } = await import('../../src/store/postgres/open-postgres.ts')
    const store = await openPostgres(url, { now: () => 0, connections: 2 })
    const limits = store.shared?.limits
    if (limits === undefined) throw new Error('PostgreSQL has no shared store')
    const shift = (micros: number) =>
      admin.query(`update ${schema}.rate_limits set free_at = free_at - $1, seen_at = seen_at - $1`, [micros])
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        await admin.query(`delete from ${schema}.rate_limits`)
        const lines = RATES.map(() => obviousLine())
        for (const step of all) {
          if (step.kind === 'take') await compareTake({ limits, lines, schema }, step.amounts)
          else if (step.kind === 'give-back') {
            const { name } = RATES[step.line] ?? RATES[0]
            // A line that nobody has used has nothing to give back to.
            const { rowCount } = await admin.query(`select from ${schema}.rate_limits where name = $1`, [name])
            await limits.giveBack({ name, micros: step.micros })
            if (rowCount === 1) lines[step.line]?.giveBack(step.micros)
          } else {
            await shift(step.micros)
            for (const line of lines) line.shift(step.micros)
          }
        }
      }),
      { numRuns: 40 },
    )
    await store.close()
  })

  /** Where it was free at once the place is known to within the time that the statement took. */
  const compareTake = async ({ limits, lines, schema }: Compared, amounts: readonly (number | null)[]) => {
    const wanted = RATES.flatMap((rate, number) => {
      const wants = amounts[number] ?? null
      return wants === null ? [] : [{ ...rate, amount: wants, number }]
    })
    const [first] = wanted
    if (first === undefined) return
    const before = await databaseMicros()
    const { waitMicros, clockMicros } = await limits.take(wanted.map(({ number: _, ...line }) => line))
    const after = await databaseMicros()
    const { rows } = await admin.query(`select free_at::float8 from ${schema}.rate_limits where name = $1`, [
      first.name,
    ])
    const place = rows[0].free_at - costOf(first)
    const expected = (now: number) =>
      Math.max(...wanted.map((line) => lines[line.number]?.earliest(now, restOf(line)) ?? Number.NaN))
    expect(place).toBeGreaterThanOrEqual(expected(before))
    expect(place).toBeLessThanOrEqual(expected(after))
    expect(clockMicros).toBeGreaterThanOrEqual(before)
    expect(clockMicros).toBeLessThanOrEqual(after)
    expect(waitMicros).toBe(place - clockMicros)
    for (const line of wanted) lines[line.number]?.take(place, costOf(line))
  }

  const databaseMicros = async (): Promise<number> => {
    const { rows } = await admin.query(
      'select (extract(epoch from clock_timestamp()) * 1000000)::bigint::float8 as now',
    )
    return rows[0].now
  }
}
