import { describe, expect, onTestFinished, test } from 'vitest'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import type { LimitStore } from '../../src/store/shared-store.ts'
import { privatePostgres } from '../store/private-postgres.ts'

const postgres = await privatePostgres()

if (postgres.kind === 'absent') {
  test.skip(`limits of several workers: ${postgres.reason}`, () => {})
} else {
  /** A store, and a function that sets the clock of its database back by moving the times in its tables forward. */
  const setBack = async () => {
    const { url, schema } = await postgres.freshUrl()
    const store = await openPostgres(url, { now: () => 0, connections: 2 })
    onTestFinished(() => store.close())
    const limits = store.shared?.limits ?? fail()
    return {
      limits,
      async clockBy(seconds: number): Promise<void> {
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

  describe('a model that fails for several processes', () => {
    const FAILURE = { name: 'model m', error: 'server', failures: 3, restMs: 1000, mostRestMs: 8000 }

    test('rests after consecutive failures in all of them together, and one of them probes whether it is back', async () => {
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

    test('has one probe at a time: a failed probe doubles the rest, a successful one ends it', async () => {
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

    test('is probed, and its provider asked, although the clock of the database was set back by an hour', async () => {
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

    test('a pause of a year is limited to ten minutes', async () => {
      const [limits = fail()] = await limitsOf(1)
      await limits.pause('provider p', 365 * 86_400_000)
      const paused = (await limits.breakers())[0]?.pausedForMs
      expect(paused).toBeGreaterThan(500_000)
      expect(paused).toBeLessThanOrEqual(600_000)
    })

    test('a pause that a provider asked for holds for every worker, and the longest counts', async () => {
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
