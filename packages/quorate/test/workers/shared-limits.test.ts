import { describe, expect, onTestFinished, test } from 'vitest'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import type { LimitStore } from '../../src/store/shared-store.ts'
import { privatePostgres } from '../store/private-postgres.ts'

const postgres = await privatePostgres()

if (postgres.kind === 'absent') {
  test.skip(`limits of several workers: ${postgres.reason}`, () => {})
} else {
  /** A store, and its database's clock set back: what is written there is further ahead by so much. */
  const setBack = async () => {
    const { url, schema } = await postgres.freshUrl()
    const store = await openPostgres(url, { now: () => 0, connections: 2 })
    onTestFinished(() => store.close())
    const limits = store.shared?.limits ?? fail()
    return {
      limits,
      async clockBy(seconds: number): Promise<void> {
        const later = 'free_at = free_at + $1, seen_at = seen_at + $1'
        await postgres.admin.query(`update ${schema}.rate_limits set ${later}`, [seconds * 1_000_000])
        await postgres.admin.query(
          `update ${schema}.breakers set rests_until = rests_until + $1, probe_until = probe_until + $1,
            paused_until = paused_until + $1`,
          [seconds * 1000],
        )
      },
    }
  }

  const limitsOf = async (processes: number): Promise<readonly LimitStore[]> => {
    const open = await postgres.fresh()
    const stores = await Promise.all(Array.from({ length: processes }, open))
    return stores.map(({ shared }) => {
      if (shared === null) throw new Error('PostgreSQL has no shared store')
      return shared.limits
    })
  }

  describe('a rate that several processes keep', () => {
    const RATE = { name: 'requests fake', amount: 1, intervalMicros: 2000, burst: 5 }

    test('gives every place once: from the first on they are an interval apart', async () => {
      const limits = await limitsOf(4)
      const clock = performance.now()
      const places = await Promise.all(
        Array.from({ length: 400 }, async (_, request) => {
          const { waitMicros } = await (limits[request % 4] ?? fail()).take([RATE])
          return (performance.now() - clock) * 1000 + waitMicros
        }),
      )
      places.sort((left, right) => left - right)
      // Measured after the answer came, so never earlier than the place itself: 400 places span 399 intervals, less the burst.
      const span = (places.at(-1) ?? 0) - (places[0] ?? 0)
      expect(span).toBeGreaterThan(390 * RATE.intervalMicros - 100_000)
      const { waitMicros } = await (limits[0] ?? fail()).take([{ ...RATE, amount: 0 }])
      expect(waitMicros).toBeGreaterThan(0)
    })

    test('lets at most the burst through at once after a rest', async () => {
      const [limits = fail()] = await limitsOf(1)
      const slow = { ...RATE, intervalMicros: 60_000_000 }
      const waits: number[] = []
      for (let request = 0; request < 8; request++) waits.push((await limits.take([slow])).waitMicros)
      expect(waits.filter((wait) => wait <= 0).length).toBe(5)
      expect(waits.slice(5).every((wait, place) => Math.abs(wait - (place + 1) * 60_000_000) < 5_000_000)).toBe(true)
    })

    test('counts what a request takes itself as part of the burst', async () => {
      const [limits = fail()] = await limitsOf(1)
      const tokens = { name: 'tokens fake', amount: 5000, intervalMicros: 6000, burst: 10_000 }
      const waits: number[] = []
      for (let request = 0; request < 3; request++) waits.push((await limits.take([tokens])).waitMicros)
      expect(waits.map((wait) => wait > 0)).toEqual([false, false, true])
      expect(waits[2]).toBeGreaterThan(20_000_000)
      const whole = await limits.take([{ ...tokens, name: 'tokens other', amount: 20_000 }])
      expect(whole.waitMicros).toBeLessThanOrEqual(0)
    })

    test.each([30, 3600, 365 * 86_400])(
      'goes on where it was after the clock of the database was set back by %d s',
      async (seconds) => {
        const { limits, clockBy } = await setBack()
        const lines = [RATE, { name: 'tokens fake', amount: 100_000, intervalMicros: 600, burst: 100_000 }]
        const waits: number[] = []
        for (let request = 0; request < 4; request++) {
          waits.push((await limits.take(lines)).waitMicros)
          await clockBy(seconds)
        }
        // A minute apart, however long the statements took.
        for (const [place, wait] of waits.entries()) expect(Math.abs(wait - place * 60_000_000)).toBeLessThan(5_000_000)
      },
    )

    test('keeps a long line that is meant: hundreds who wait for one a minute, and one behind some that take long', async () => {
      const [limits = fail()] = await limitsOf(1)
      const seldom = { ...RATE, name: 'requests seldom', intervalMicros: 60_000_000, burst: 1 }
      const waits = await Promise.all(Array.from({ length: 400 }, () => limits.take([seldom])))
      expect(Math.max(...waits.map(({ waitMicros }) => waitMicros))).toBeGreaterThan(390 * 60_000_000)
      const large = { name: 'tokens fake', amount: 10_000, intervalMicros: 6000, burst: 10_000 }
      for (let request = 0; request < 15; request++) await limits.take([large])
      expect((await limits.take([{ ...large, amount: 10 }])).waitMicros).toBeGreaterThan(800_000_000)
    })

    test('reads the clock when its turn has come: who waits for the row gets a place from then on', async () => {
      const { url, schema } = await postgres.freshUrl()
      const store = await openPostgres(url, { now: () => 0, connections: 2 })
      onTestFinished(() => store.close())
      const limits = store.shared?.limits ?? fail()
      const first = await limits.take([RATE])
      const holder = await postgres.admin.connect()
      await holder.query('begin')
      await holder.query(`select from ${schema}.rate_limits for update`)
      const waiting = limits.take([RATE])
      await new Promise((resolve) => setTimeout(resolve, 300))
      await holder.query('commit')
      holder.release()
      const { clockMicros, waitMicros } = await waiting
      expect(clockMicros - first.clockMicros).toBeGreaterThan(290_000)
      expect(waitMicros).toBeLessThanOrEqual(0)
      expect(waitMicros).toBeGreaterThanOrEqual(-RATE.burst * RATE.intervalMicros)
    })

    test('takes back what was not used', async () => {
      const [limits = fail()] = await limitsOf(1)
      const tokens = { name: 'tokens fake', amount: 1000, intervalMicros: 60_000, burst: 1 }
      await limits.take([tokens])
      const { waitMicros } = await limits.take([{ ...tokens, amount: 0 }])
      await limits.giveBack({ name: 'tokens fake', micros: 900 * 60_000 })
      const after = (await limits.take([{ ...tokens, amount: 0 }])).waitMicros
      expect(waitMicros - after).toBeGreaterThan(54_000_000 - 1)
    })
  })

  describe('a model that fails for several processes', () => {
    const FAILURE = { name: 'model m', error: 'server', failures: 3, restMs: 1000, mostRestMs: 8000 }

    test('rests after failures in a row over all of them, and one of them finds out whether it is back', async () => {
      const [one = fail(), two = fail()] = await limitsOf(2)
      await one.failed({ ...FAILURE, by: 'one' })
      await two.failed({ ...FAILURE, by: 'two' })
      expect(await one.breakers()).toMatchObject([{ failures: 2, rests: 0, restsForMs: null }])
      await one.failed({ ...FAILURE, by: 'one' })
      const [resting] = await two.breakers()
      expect(resting).toMatchObject({ rests: 1 })
      expect(resting?.restsForMs).toBeGreaterThan(500)
      expect(await two.probe('model m', 'two', 5000)).toBe(false)
    })

    test('has one probe at a time; one that fails doubles the rest, one that succeeds ends it', async () => {
      const [one = fail(), two = fail()] = await limitsOf(2)
      const short = { ...FAILURE, failures: 1, restMs: 1 }
      await one.failed({ ...short, by: 'one' })
      await expect.poll(() => one.breakers()).toMatchObject([{ restsForMs: expect.toSatisfy((ms) => ms <= 0) }])
      const won = await Promise.all([one.probe('model m', 'one', 60_000), two.probe('model m', 'two', 60_000)])
      expect(won.filter((isOurs) => isOurs).length).toBe(1)
      const [prober, by, other] = won[0] ? [one, 'one', 'two'] : [two, 'two', 'one']
      await prober.failed({ ...FAILURE, by: other })
      expect(await one.breakers()).toMatchObject([{ rests: 1, probeBy: by }])
      await prober.failed({ ...FAILURE, restMs: 1000, by })
      expect(await one.breakers()).toMatchObject([{ rests: 2, probeBy: null }])
      expect((await one.breakers())[0]?.restsForMs).toBeGreaterThan(1500)
      await two.succeeded('model m')
      expect(await one.breakers()).toEqual([])
    })

    test('is tried, and its provider asked, after the clock of the database was set back by an hour', async () => {
      const { limits, clockBy } = await setBack()
      await limits.failed({ ...FAILURE, failures: 1, by: 'one' })
      await limits.pause('provider p', 60_000)
      await clockBy(3600)
      const over = expect.toSatisfy((milliseconds) => milliseconds <= 0)
      const rows = await limits.breakers()
      expect(rows.find(({ name }) => name === 'model m')).toMatchObject({ restsForMs: over })
      expect(rows.find(({ name }) => name === 'provider p')).toMatchObject({ pausedForMs: over })
      expect(await limits.probe('model m', 'one', 5000)).toBe(true)
      expect(await limits.probe('model m', 'two', 5000)).toBe(false)
      await clockBy(3600)
      expect(await limits.probe('model m', 'two', 5000)).toBe(true)
      await limits.pause('provider p', 60_000)
      const paused = (await limits.breakers()).find(({ name }) => name === 'provider p')
      expect(paused?.pausedForMs).toBeGreaterThan(30_000)
      expect(paused?.pausedForMs).toBeLessThanOrEqual(60_000)
    })

    test('a pause of a year is one of ten minutes', async () => {
      const [limits = fail()] = await limitsOf(1)
      await limits.pause('provider p', 365 * 86_400_000)
      const paused = (await limits.breakers())[0]?.pausedForMs
      expect(paused).toBeGreaterThan(500_000)
      expect(paused).toBeLessThanOrEqual(600_000)
    })

    test('a pause that a provider asked for is everybody s, and the longest counts', async () => {
      const [one = fail(), two = fail()] = await limitsOf(2)
      await one.pause('provider p', 60_000)
      await two.pause('provider p', 1000)
      expect((await two.breakers())[0]?.pausedForMs).toBeGreaterThan(30_000)
    })
  })
}

function fail(): never {
  throw new Error('expected a process')
}
