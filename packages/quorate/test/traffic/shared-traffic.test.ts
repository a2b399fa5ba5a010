import { seededRandom } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { createTraffic } from '../../src/traffic/create-traffic.ts'
import type { SharedLimits } from '../../src/traffic/shared-breakers.ts'
import { createSharedBreakers } from '../../src/traffic/shared-breakers.ts'
import type { AttemptResult, Traffic } from '../../src/traffic/traffic.ts'
import type { TrafficLimits } from '../../src/traffic/traffic-limits.ts'
import { createFakeClock } from './fake-clock.ts'
import { callOf, failure, replyOf, timedModel } from './fake-traffic.ts'
import { modelLimits } from './model-breakers.ts'

const BREAKER = { failures: 12, restMs: 10_000, mostRestMs: 300_000, probes: 3 }

interface Sharing {
  readonly processes: number
  readonly limits?: Partial<TrafficLimits>
  readonly change?: (limits: SharedLimits) => Partial<SharedLimits>
  readonly checkLease?: () => void
  readonly share?: () => number
}

/** The traffic of several processes that share their limits, or with `isShared: false` each have their own. */
function fleet(sharing: Sharing, isShared = true) {
  const { processes, limits = {}, change = () => ({}), checkLease = () => {}, share = () => 1 / processes } = sharing
  const clock = createFakeClock()
  const { now, sleep } = clock
  const kept = modelLimits(now)
  const shared = { ...kept, ...change(kept) }
  const errors: unknown[] = []
  const failed = (error: unknown) => errors.push(error)
  const all = { attempts: 8, timeoutMs: 1000, concurrency: 8, breaker: BREAKER, ...limits }
  const traffics = Array.from({ length: processes }, (_, number): Traffic => {
    const own = { limits: all, now, sleep, random: seededRandom(number) }
    if (!isShared) return createTraffic(own)
    const parts = { limits: shared, now, failed }
    const breakers = createSharedBreakers({ ...parts, breaker: BREAKER, timeoutMs: 1000, by: `${number}` })
    return createTraffic({ ...own, shared: { breakers, share, checkLease } })
  })
  return { clock, traffics, shared, errors }
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

  test('is called by a full set of slots, and by the calls that replaced the failures that opened the breaker', async () => {
    const sent = await requests(true, 9000)
    expect(sent).toBeGreaterThanOrEqual(4 * 8)
    expect(sent).toBeLessThanOrEqual(4 * 8 + 2 * BREAKER.failures)
  })

  test('is called by one process no more often than if it were alone', async () => {
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

  test('companion: processes that know nothing about each other call it more often', async () => {
    expect(await requests(false, 9000)).toBeGreaterThan(4 * BREAKER.failures)
  })

  test('is probed once by all of them together after its rest', async () => {
    const [resting, probed] = [await requests(true, 9000), await requests(true, 15_000)]
    expect(probed - resting).toBe(1)
  })
})

describe('an attempt under limits that all processes share', () => {
  test('is not sent after the lease of this process has expired, and its intent is closed', async () => {
    const gone = new Error('others do its work')
    const checkLease = () => {
      throw gone
    }
    const { clock, traffics } = fleet({ processes: 1, checkLease })
    const model = timedModel(clock)
    const results: AttemptResult[] = []
    const call = callOf('x', { openAttempt: async () => ({ close: async (result) => void results.push(result) }) })
    await expect(clock.run(traffics[0]?.send(model, call) ?? fail())).rejects.toBe(gone)
    expect(model.sentAt).toEqual([])
    expect(results).toMatchObject([{ kind: 'error', error: { kind: 'aborted', charged: 'no' } }])
  })

  test('is sent at the share of its process: all of them together keep the rate', async () => {
    const limits = { providers: { fake: { requestsPerMinute: 600 } } }
    const { clock, traffics } = fleet({ processes: 3, limits })
    const model = timedModel(clock, { latencyMs: 1 }, () => replyOf('yes'))
    const send = (call: number) => (traffics[call % 3] ?? fail()).send(model, callOf())
    await clock.run(Promise.all(Array.from({ length: 90 }, (_, call) => send(call))))
    const [first = 0] = model.sentAt
    for (const from of model.sentAt) {
      // Ten a second, plus at most one more from each process.
      expect(model.sentAt.filter((at) => at >= from && at < from + 1000).length).toBeLessThanOrEqual(10 + 3)
    }
    // 30 of each, 300 ms apart.
    expect((model.sentAt.at(-1) ?? 0) - first).toBe(29 * 300)
  })

  test('companion: processes that each keep the whole rate go beyond it', async () => {
    const limits = { providers: { fake: { requestsPerMinute: 600 } } }
    const { clock, traffics } = fleet({ processes: 3, limits, share: () => 1 })
    const model = timedModel(clock, { latencyMs: 1 }, () => replyOf('yes'))
    const sends = Array.from({ length: 90 }, (_, call) => (traffics[call % 3] ?? fail()).send(model, callOf()))
    await clock.run(Promise.all(sends))
    const [first = 0] = model.sentAt
    expect(model.sentAt.filter((at) => at < first + 1000).length).toBeGreaterThan(10 + 3)
  })

  test('is not sent under a rate while its process does not know its share', async () => {
    let share = 0
    const limits = { providers: { fake: { requestsPerMinute: 600, tokensPerMinute: 60_000 } } }
    const { clock, traffics } = fleet({ processes: 1, limits, share: () => share })
    const model = timedModel(clock, { latencyMs: 1 }, () => replyOf('yes'))
    const sent = traffics[0]?.send(model, callOf()) ?? fail()
    await clock.advance(60_000)
    expect(model.sentAt).toEqual([])
    share = 1
    expect((await clock.run(sent)).kind).toBe('reply')
  })

  test('is sent apart from others although all their intents were committed late and together', async () => {
    const limits = { providers: { fake: { requestsPerMinute: 600 } } }
    const { clock, traffics } = fleet({ processes: 1, limits })
    const model = timedModel(clock, { latencyMs: 1 }, () => replyOf('yes'))
    const until = clock.now() + 1000
    const openAttempt = async () => {
      await clock.sleep(until - clock.now())
      return { close: async () => {} }
    }
    const sends = Array.from({ length: 8 }, () => (traffics[0] ?? fail()).send(model, callOf('x', { openAttempt })))
    await clock.run(Promise.all(sends))
    const gaps = model.sentAt.slice(1).map((at, index) => at - (model.sentAt[index] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(100)
  })
})

function fail(): never {
  throw new Error('expected a process')
}
