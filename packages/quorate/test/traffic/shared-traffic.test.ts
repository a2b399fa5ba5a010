import { seededRandom } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { createTraffic } from '../../src/traffic/create-traffic.ts'
import type { TrafficLimits } from '../../src/traffic/limits.ts'
import { createSharedBreakers } from '../../src/traffic/shared-breakers.ts'
import type { SharedLimits } from '../../src/traffic/shared-limits.ts'
import { createSharedRates } from '../../src/traffic/shared-rates.ts'
import type { AttemptResult, Traffic } from '../../src/traffic/traffic.ts'
import { createFakeClock } from './fake-clock.ts'
import { callOf, failure, replyOf, timedModel } from './fake-traffic.ts'
import { modelLimits } from './model-breakers.ts'

const BREAKER = { failures: 12, restMs: 10_000, mostRestMs: 300_000, probes: 3 }

interface Sharing {
  readonly processes: number
  readonly limits?: Partial<TrafficLimits>
  readonly change?: (limits: SharedLimits) => Partial<SharedLimits>
  readonly checkLease?: () => void
}

/** The traffic of several processes that keep limits together, or with `isShared: false` each its own. */
function fleet({ processes, limits = {}, change = () => ({}), checkLease = () => {} }: Sharing, isShared = true) {
  const clock = createFakeClock()
  const { now, sleep } = clock
  const kept = modelLimits(now)
  const keeper = { ...kept, ...change(kept) }
  const errors: unknown[] = []
  const failed = (error: unknown) => errors.push(error)
  const all = { attempts: 8, timeoutMs: 1000, concurrency: 8, breaker: BREAKER, ...limits }
  const traffics = Array.from({ length: processes }, (_, number): Traffic => {
    const own = { limits: all, now, sleep, random: seededRandom(number) }
    if (!isShared) return createTraffic(own)
    const parts = { limits: keeper, now, failed }
    const breakers = createSharedBreakers({ ...parts, breaker: BREAKER, timeoutMs: 1000, by: `${number}` })
    const rates = createSharedRates({ ...parts, providers: all.providers ?? {}, sleep })
    return createTraffic({ ...own, shared: { rates, breakers, checkLease } })
  })
  return { clock, traffics, keeper, errors }
}

describe('a model that fails hard for every process', () => {
  const requests = async (isShared: boolean, restingMs: number) => {
    const { clock, traffics } = fleet({ processes: 4 }, isShared)
    const model = timedModel(clock, {}, () => failure('server'))
    const ending = new AbortController()
    const calls = traffics.flatMap((traffic) =>
      Array.from({ length: 30 }, () => traffic.send(model, callOf('x', { signal: ending.signal }))),
    )
    await clock.advance(restingMs)
    const sent = model.sentAt.length
    ending.abort()
    await clock.run(Promise.all(calls))
    return sent
  }

  test('is asked by a full set of slots, and by what took the place of the failures that opened it', async () => {
    const sent = await requests(true, 9000)
    expect(sent).toBeGreaterThanOrEqual(4 * 8)
    expect(sent).toBeLessThanOrEqual(4 * 8 + 2 * BREAKER.failures)
  })

  test('is asked no more by one process than if it were alone', async () => {
    const one = async (isShared: boolean) => {
      const { clock, traffics } = fleet({ processes: 1, limits: { concurrency: 2 } }, isShared)
      const model = timedModel(clock, {}, () => failure('server'))
      const ending = new AbortController()
      const calls = Array.from({ length: 30 }, () =>
        (traffics[0] ?? fail()).send(model, callOf('x', { signal: ending.signal })),
      )
      await clock.advance(9000)
      ending.abort()
      await clock.run(Promise.all(calls))
      return model.sentAt.length
    }
    expect(await one(true)).toBe(await one(false))
  })

  test('companion: processes that know nothing of each other ask it more', async () => {
    expect(await requests(false, 9000)).toBeGreaterThan(4 * BREAKER.failures)
  })

  test('is asked once by all of them together after its rest', async () => {
    const [resting, probed] = [await requests(true, 9000), await requests(true, 15_000)]
    expect(probed - resting).toBe(1)
  })
})

describe('an attempt that all processes count', () => {
  test('is not sent where this process was away for too long, and what was taken for it is closed', async () => {
    const gone = new Error('others do its work')
    const checkLease = () => {
      throw gone
    }
    const { clock, traffics } = fleet({ processes: 1, checkLease })
    const model = timedModel(clock)
    const results: AttemptResult[] = []
    const call = callOf('x', { afterAttempt: async (_, result) => void results.push(result) })
    await expect(clock.run(traffics[0]?.send(model, call) ?? fail())).rejects.toBe(gone)
    expect(model.sentAt).toEqual([])
    expect(results).toMatchObject([{ kind: 'error', error: { kind: 'aborted', charged: 'no' } }])
  })

  test('has its reply kept although its tokens cannot be given back', async () => {
    const away = new Error('the database is away')
    const limits = { providers: { fake: { tokensPerMinute: 6000 } } }
    const { clock, traffics, errors } = fleet({
      ...{ processes: 1, limits },
      change: () => ({ giveBack: () => Promise.reject(away) }),
    })
    const results: AttemptResult[] = []
    const call = callOf('x', { afterAttempt: async (_, result) => void results.push(result) })
    const outcome = await clock.run(traffics[0]?.send(timedModel(clock), call) ?? fail())
    expect(outcome).toMatchObject({ kind: 'reply', attempt: 1 })
    expect(results).toMatchObject([{ kind: 'reply' }])
    expect(errors).toEqual([away])
  })

  test('that is given up in a pause gives nothing back, since nothing was taken', async () => {
    const given: unknown[] = []
    const limits = { providers: { fake: { tokensPerMinute: 6000 } } }
    const { clock, traffics } = fleet({
      ...{ processes: 1, limits },
      change: (kept) => ({
        giveBack(unused) {
          given.push(unused)
          return kept.giveBack(unused)
        },
      }),
    })
    const [traffic = fail()] = traffics
    const busy = timedModel(clock, { latencyMs: 10 }, () => failure('rate-limit', 60_000))
    const ending = new AbortController()
    const calls = [busy, timedModel(clock, { name: 'two' })].map((model) =>
      traffic.send(model, callOf('x', { signal: ending.signal })),
    )
    await clock.advance(500)
    const before = given.length
    ending.abort()
    await clock.run(Promise.all(calls))
    expect(given.length).toBe(before)
  })

  test('waits for the rate of all of them, which no process keeps on its own', async () => {
    const limits = { providers: { fake: { requestsPerMinute: 600 } } }
    const { clock, traffics } = fleet({ processes: 3, limits })
    const model = timedModel(clock, { latencyMs: 1 }, () => replyOf('yes'))
    // The first requests of each take more places.
    const COLD = 3 * 8
    const send = (call: number) => (traffics[call % 3] ?? fail()).send(model, callOf())
    for (let cold = 0; cold < COLD; cold++) await clock.run(send(cold))
    await clock.advance(5000)
    await clock.run(Promise.all(Array.from({ length: 30 }, (_, call) => send(call))))
    const [first = 0, ...others] = model.sentAt.slice(COLD)
    // Two at once after a rest, then ten a second.
    expect([first, ...others].map((at) => at - first)).toEqual([
      0,
      ...Array.from({ length: 29 }, (_, place) => place * 100),
    ])
  })
})

function fail(): never {
  throw new Error('expected a process')
}
