import { seededRandom } from '@quorate/certificate'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ModelRequest } from '../../src/model/model.ts'
import { turnToRead } from '../../src/model/reply-turns.ts'
import { createTraffic } from '../../src/traffic/create-traffic.ts'
import type { AttemptResult } from '../../src/traffic/traffic.ts'
import { createFakeClock } from './fake-clock.ts'
import { callOf, failure, replyOf, timedModel, trafficOnFakeTime } from './fake-traffic.ts'

const NEVER_OPENS = { failures: 1000, restMs: 1, mostRestMs: 1, probes: 1 }

describe('a call that nothing limits', () => {
  test('is sent at once and answered as soon as the model is', async () => {
    const { clock, traffic } = trafficOnFakeTime({ concurrency: 4 })
    const model = timedModel(clock)
    const start = clock.now()
    const outcome = await clock.run(traffic.send(model, callOf()))
    expect(outcome).toMatchObject({ kind: 'reply', attempt: 1 })
    expect(model.sentAt).toEqual([start])
    expect(clock.now() - start).toBe(100)
  })
})

describe('a blank reply', () => {
  test('is asked for again under another seed, since the same one would be blank again', async () => {
    const { clock, traffic } = trafficOnFakeTime({ concurrency: 4 })
    const seeds: (number | null)[] = []
    const blankTwice = timedModel(clock, {}, (call) => (call < 2 ? failure('empty') : replyOf('yes')))
    const model = {
      ...blankTwice,
      call: (request: ModelRequest) => {
        seeds.push(request.settings.seed)
        return blankTwice.call(request)
      },
    }
    const settings = { ...callOf().settings, seed: 7 }
    expect(await clock.run(traffic.send(model, callOf('x', { settings })))).toMatchObject({ kind: 'reply', attempt: 3 })
    expect(seeds).toEqual([7, 8, 9])
  })
})

describe('concurrency', () => {
  test('is never exceeded, is used to the full, and is shared first come first served', async () => {
    const { clock, traffic } = trafficOnFakeTime({ concurrency: 5 })
    const model = timedModel(clock)
    const start = clock.now()
    const names = Array.from({ length: 43 }, (_, index) => String(index))
    await clock.run(Promise.all(names.map((name) => traffic.send(model, callOf(name)))))
    expect(model.most()).toBe(5)
    expect(clock.now() - start).toBe(Math.ceil(43 / 5) * 100)
    expect(model.order).toEqual(names)
  })

  test('counts all providers, each of which may have a lower limit', async () => {
    const { clock, traffic } = trafficOnFakeTime({ concurrency: 6, providers: { slow: { concurrency: 2 } } })
    const [slow, fast] = [timedModel(clock, { provider: 'slow' }), timedModel(clock, { provider: 'fast' })]
    const sends = Array.from({ length: 40 }, (_, index) => traffic.send(index % 2 === 0 ? slow : fast, callOf()))
    await clock.run(Promise.all(sends))
    expect(slow.most()).toBe(2)
    expect(fast.most()).toBeLessThanOrEqual(6)
    expect(fast.most()).toBeGreaterThanOrEqual(4)
  })

  test('opens and closes the intent of a call inside its slot: never more are open than there are slots', async () => {
    const { clock, traffic } = trafficOnFakeTime({ concurrency: 8 })
    const model = timedModel(clock, { latencyMs: 100 })
    let [open, most] = [0, 0]
    const openAttempt = async () => {
      most = Math.max(most, ++open)
      await clock.sleep(10)
      return {
        async close() {
          open -= 1
          await clock.sleep(10)
        },
      }
    }
    const start = clock.now()
    const calls = Array.from({ length: 160 }, () => traffic.send(model, callOf('x', { openAttempt })))
    await clock.run(Promise.all(calls))
    expect(model.most()).toBe(8)
    expect(most).toBe(8)
    // 20 rounds of 10 + 100 ms; a slot is free before the outcome is committed.
    expect(clock.now() - start).toBe(20 * 110 + 10)
  })

  test('shrinks when the provider rejects calls, and recovers', async () => {
    const { clock, traffic } = trafficOnFakeTime({ concurrency: 16, attempts: 50, backOff: { firstMs: 1, mostMs: 1 } })
    let busy = true
    const model = timedModel(clock, {}, () => (busy ? failure('rate-limit') : replyOf('yes')))
    const sends = Promise.all(Array.from({ length: 400 }, () => traffic.send(model, callOf())))
    await clock.advance(1500)
    expect(traffic.load().inFlight).toBe(1)
    busy = false
    await clock.advance(2500)
    expect(traffic.load().inFlight).toBeGreaterThan(10)
    expect((await clock.run(sends)).every(({ kind }) => kind === 'reply')).toBe(true)
  })
})

describe('rates', () => {
  test('are kept over any 60 seconds, by requests and by tokens, whatever the load', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 99 }), async (perMinute, seed) => {
        const random = seededRandom(seed)
        const limits = { concurrency: 10, providers: { fake: { requestsPerMinute: perMinute } } }
        const { clock, traffic } = trafficOnFakeTime(limits, seed)
        const model = timedModel(clock, { latencyMs: 700 })
        const sends: Promise<unknown>[] = []
        for (let burst = 0; burst < 4; burst++) {
          for (let call = 0; call < 30 * random(); call++) sends.push(traffic.send(model, callOf()))
          await clock.advance(40_000 * random())
        }
        await clock.run(Promise.all(sends))
        expect(mostInAMinute(model.sentAt.map((at) => ({ at, amount: 1 })))).toBeLessThanOrEqual(perMinute)
      }),
      { numRuns: 40 },
    )
  })

  test('are used to the full under a steady load', async () => {
    const { clock, traffic } = trafficOnFakeTime({ concurrency: 10, providers: { fake: { requestsPerMinute: 60 } } })
    const model = timedModel(clock)
    const start = clock.now()
    await clock.run(Promise.all(Array.from({ length: 300 }, () => traffic.send(model, callOf()))))
    expect(clock.now() - start).toBeLessThan(5 * 60_000)
  })

  test('of tokens count what a call may use, and give back what it did not use', async () => {
    const limits = { concurrency: 10, providers: { fake: { tokensPerMinute: 1000 } } }
    const { clock, traffic } = trafficOnFakeTime(limits)
    const model = timedModel(clock, {}, () => replyOf('yes', 20))
    const start = clock.now()
    await clock.run(Promise.all(Array.from({ length: 100 }, () => traffic.send(model, callOf()))))
    expect(mostInAMinute(model.sentAt.map((at) => ({ at, amount: 20 })))).toBeLessThanOrEqual(1000)
    expect(clock.now() - start).toBeLessThan(2 * 60_000 + 10_000)
  })

  test('of one provider do not delay another', async () => {
    const { clock, traffic } = trafficOnFakeTime({ concurrency: 4, providers: { slow: { requestsPerMinute: 1 } } })
    const [slow, fast] = [timedModel(clock, { provider: 'slow' }), timedModel(clock, { provider: 'fast' })]
    const stuck = Promise.all(Array.from({ length: 20 }, () => traffic.send(slow, callOf())))
    const start = clock.now()
    await clock.run(Promise.all(Array.from({ length: 40 }, () => traffic.send(fast, callOf()))))
    expect(clock.now() - start).toBeLessThanOrEqual(1100)
    await clock.run(stuck)
  })
})

describe('retries', () => {
  test('stop after the allowed attempts, and report why', async () => {
    const { clock, traffic } = trafficOnFakeTime({ attempts: 3 })
    const model = timedModel(clock, {}, () => failure('server'))
    const outcome = await clock.run(traffic.send(model, callOf()))
    expect(outcome).toMatchObject({ kind: 'down', reason: '3 attempts failed, the last with: it is server' })
    expect(model.sentAt).toHaveLength(3)
  })

  test.each(['key', 'request', 'exhausted'] as const)('are not made after a %s error', async (kind) => {
    const { clock, traffic } = trafficOnFakeTime({})
    const model = timedModel(clock, {}, () => failure(kind))
    expect((await clock.run(traffic.send(model, callOf()))).kind).toBe('down')
    expect(model.sentAt).toHaveLength(1)
  })

  test.each([700, 61_000, 86_400_000])(
    'wait for a retry-after of %d ms, and so do the others of the provider',
    async (wait) => {
      const { clock, traffic } = trafficOnFakeTime({ concurrency: 1 })
      const model = timedModel(clock, {}, (call) => (call === 0 ? failure('rate-limit', wait) : replyOf('yes')))
      const start = clock.now()
      await clock.run(Promise.all([traffic.send(model, callOf('one')), traffic.send(model, callOf('two'))]))
      expect(Math.min(...model.sentAt.slice(1)) - start).toBeGreaterThanOrEqual(100 + wait)
    },
  )

  test('keep the place of their call, before calls that arrived later', async () => {
    const { clock, traffic } = trafficOnFakeTime({ concurrency: 1, backOff: { firstMs: 1, mostMs: 1 } })
    const model = timedModel(clock, {}, (call) => (call === 0 ? failure('server') : replyOf('yes')))
    await clock.run(Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => traffic.send(model, callOf(name)))))
    expect(model.order.indexOf('a', 1)).toBeLessThan(model.order.indexOf('d'))
  })

  test('continue the numbers of an earlier process', async () => {
    const { clock, traffic } = trafficOnFakeTime({ attempts: 2 })
    const numbers: number[] = []
    const openAttempt = async (attempt: number) => {
      numbers.push(attempt)
      return { close: async () => {} }
    }
    const model = timedModel(clock, {}, () => failure('server'))
    await clock.run(traffic.send(model, callOf('x', { attemptsMade: 5, openAttempt })))
    expect(numbers).toEqual([6, 7])
  })
})

describe('the store', () => {
  test('is called for every attempt before it is sent and after it ended, and a reply waits for it', async () => {
    const { clock, traffic } = trafficOnFakeTime({ backOff: { firstMs: 1, mostMs: 1 } })
    const events: string[] = []
    const model = timedModel(clock, {}, (call) => {
      events.push('sent')
      return call === 0 ? failure('server') : replyOf('yes')
    })
    const call = callOf('x', {
      openAttempt: async (attempt) => {
        await clock.sleep(5)
        events.push(`before ${attempt}`)
        return {
          async close({ kind }) {
            await clock.sleep(5)
            events.push(`after ${attempt} ${kind}`)
          },
        }
      },
    })
    const sent = traffic.send(model, call).then(({ kind }) => events.push(kind))
    await clock.run(sent)
    expect(events).toEqual(['before 1', 'sent', 'after 1 error', 'before 2', 'sent', 'after 2 reply', 'reply'])
  })

  test('may halt a call before it is sent', async () => {
    const { clock, traffic } = trafficOnFakeTime({})
    const model = timedModel(clock)
    const call = callOf('x', { openAttempt: async () => 'spend-cap' })
    expect(await clock.run(traffic.send(model, call))).toEqual({ kind: 'halted', reason: 'spend-cap' })
    expect(model.sentAt).toEqual([])
    expect(traffic.load()).toEqual({ inFlight: 0, waiting: 0 })
  })

  const full = async () => Promise.reject(new Error('disk full'))
  test.each([
    ['opening', full],
    ['closing', async () => ({ close: full })],
  ])('that fails in %s an attempt is reported, and no slot is lost', async (_, openAttempt) => {
    const { clock, traffic } = trafficOnFakeTime({ concurrency: 1 })
    const model = timedModel(clock)
    await expect(clock.run(traffic.send(model, callOf('x', { openAttempt })))).rejects.toThrow('disk full')
    expect((await clock.run(traffic.send(model, callOf()))).kind).toBe('reply')
  })
})

describe('an abort', () => {
  test.each([
    [new DOMException('late', 'TimeoutError'), 'time-out'],
    [undefined, 'interrupted'],
  ])('by %s halts calls in flight, in the queue and between attempts: %s', async (reason, expected) => {
    const { clock, traffic } = trafficOnFakeTime({ concurrency: 2, providers: { fake: { concurrency: 1 } } })
    const [model, down] = [timedModel(clock), timedModel(clock, { provider: 'other' }, () => failure('server'))]
    const stop = new AbortController()
    const results: AttemptResult[] = []
    const openAttempt = async () => ({ close: async (result: AttemptResult) => void results.push(result) })
    const call = () => callOf('x', { signal: stop.signal, openAttempt })
    const sends = Promise.all([
      traffic.send(down, call()),
      ...Array.from({ length: 9 }, () => traffic.send(model, call())),
    ])
    await clock.advance(150)
    stop.abort(reason)
    const outcomes = await clock.run(sends)
    expect(outcomes.filter(({ kind }) => kind === 'reply')).toHaveLength(1)
    expect(outcomes.filter(({ kind }) => kind === 'halted')).toEqual(
      Array(9).fill({ kind: 'halted', reason: expected }),
    )
    // An attempt that was opened and never sent is closed at no cost.
    const unsent = results.filter(
      (result) => result.kind === 'error' && result.error.message.includes('before it was sent'),
    )
    expect(unsent.every((result) => result.kind === 'error' && result.error.charged === 'no')).toBe(true)
    expect(traffic.load()).toEqual({ inFlight: 0, waiting: 0 })
  })

  test('before the start sends nothing', async () => {
    const { clock, traffic } = trafficOnFakeTime({})
    const model = timedModel(clock)
    const outcome = await clock.run(traffic.send(model, callOf('x', { signal: AbortSignal.abort() })))
    expect(outcome).toEqual({ kind: 'halted', reason: 'interrupted' })
    expect(model.sentAt).toEqual([])
  })
})

describe('a time-out', () => {
  test('ends an attempt whose model ignores the signal, and the next one is made', async () => {
    const { clock, traffic } = trafficOnFakeTime({ timeoutMs: 500, concurrency: 1 })
    const model = timedModel(clock, {}, (call) => (call === 0 ? null : replyOf('yes')))
    const results: AttemptResult[] = []
    const openAttempt = async () => ({ close: async (result: AttemptResult) => void results.push(result) })
    const outcome = await clock.run(traffic.send(model, callOf('x', { openAttempt })))
    expect(outcome).toMatchObject({ kind: 'reply', attempt: 2 })
    expect(results[0]).toMatchObject({ kind: 'error', error: { kind: 'time-out', charged: 'unknown' } })
  })

  test('comes after all replies that have arrived, however many wait to be read', async () => {
    const limits = { timeoutMs: 500, concurrency: 300, attempts: 1 }
    const random = seededRandom(1)
    // Time flies: the limit of each call is over before its reply is read.
    const traffic = createTraffic({ limits, random, now: () => 0, sleep: async () => undefined })
    const arrived = { ...timedModel(createFakeClock()), call: () => turnToRead().then(() => replyOf('yes')) }
    const outcomes = await Promise.all(Array.from({ length: 300 }, () => traffic.send(arrived, callOf())))
    expect(outcomes.filter(({ kind }) => kind === 'reply')).toHaveLength(300)
  })
})

describe('a model that fails every time', () => {
  const breaker = { failures: 4, restMs: 10_000, mostRestMs: 1e6, probes: 2 }

  test('is not called, probed once after each rest, and then reported as down', async () => {
    const { clock, traffic } = trafficOnFakeTime({
      concurrency: 4,
      attempts: 100,
      breaker,
      backOff: { firstMs: 1, mostMs: 1 },
    })
    const model = timedModel(clock, {}, () => failure('network'))
    const start = clock.now()
    const outcomes = await clock.run(Promise.all(Array.from({ length: 20 }, () => traffic.send(model, callOf()))))
    expect(outcomes.every(({ kind }) => kind === 'down')).toBe(true)
    const times = model.sentAt.map((at) => Math.round((at - start) / 1000))
    // Three more calls took the slots of the first three failures before the fourth failure arrived.
    expect(times).toEqual([0, 0, 0, 0, 0, 0, 0, 10, 30])
    expect(await clock.run(traffic.send(model, callOf()))).toMatchObject({
      kind: 'down',
      reason: expect.stringMatching(/: Circuit breaker open after repeated failures\. Last error: \S/),
    })
    expect(model.sentAt).toHaveLength(9)
  })

  test('and recovers answers everything that waited', async () => {
    const { clock, traffic } = trafficOnFakeTime({
      concurrency: 4,
      attempts: 100,
      breaker,
      backOff: { firstMs: 1, mostMs: 1 },
    })
    const model = timedModel(clock, {}, (call) => (call < 5 ? failure('server') : replyOf('yes')))
    const outcomes = await clock.run(Promise.all(Array.from({ length: 20 }, () => traffic.send(model, callOf()))))
    expect(outcomes.every(({ kind }) => kind === 'reply')).toBe(true)
    expect(model.most()).toBe(4)
  })

  test('does not delay another of the same provider', async () => {
    const { clock, traffic } = trafficOnFakeTime({
      concurrency: 4,
      attempts: 100,
      breaker,
      backOff: { firstMs: 1, mostMs: 1 },
    })
    const down = timedModel(clock, { name: 'down' }, () => failure('server'))
    const up = timedModel(clock, { name: 'up' })
    const stuck = Promise.all(Array.from({ length: 20 }, () => traffic.send(down, callOf())))
    await clock.advance(2000)
    const start = clock.now()
    await clock.run(Promise.all(Array.from({ length: 20 }, () => traffic.send(up, callOf()))))
    expect(clock.now() - start).toBeLessThanOrEqual(700)
    await clock.run(stuck)
  })

  test('a tenth of failures opens no breaker and loses no call', async () => {
    const { clock, traffic } = trafficOnFakeTime({ concurrency: 16, backOff: { firstMs: 10, mostMs: 100 } })
    const random = seededRandom(3)
    const kinds = ['rate-limit', 'overloaded', 'server', 'network', 'malformed', 'empty', 'time-out'] as const
    const model = timedModel(clock, {}, () => {
      if (random() >= 0.1) return replyOf('yes')
      return failure(kinds[Math.floor(random() * kinds.length)] ?? 'server', random() < 0.1 ? 30 : null)
    })
    const outcomes = await clock.run(Promise.all(Array.from({ length: 3000 }, () => traffic.send(model, callOf()))))
    expect(outcomes.every(({ kind }) => kind === 'reply')).toBe(true)
    expect(model.most()).toBeLessThanOrEqual(16)
  })
})

test('a model that throws another error is a bug: its attempt is closed, then the error is thrown', async () => {
  const { clock, traffic } = trafficOnFakeTime({ breaker: NEVER_OPENS })
  const results: AttemptResult[] = []
  const openAttempt = async () => ({ close: async (result: AttemptResult) => void results.push(result) })
  const broken = { ...timedModel(clock), call: async () => Promise.reject(new TypeError('oops')) }
  await expect(clock.run(traffic.send(broken, callOf('x', { openAttempt })))).rejects.toThrow('oops')
  expect(results).toMatchObject([{ kind: 'error', error: { charged: 'unknown' } }])
})

test.each([
  [{ concurrency: 0 }],
  [{ attempts: 1.5 }],
  [{ timeoutMs: Number.NaN }],
  [{ providers: { x: { requestsPerMinute: 0 } } }],
])('limits such as %o are refused', (limits) => {
  expect(() => trafficOnFakeTime(limits)).toThrow(/createTraffic/)
})

/** The slow, obvious count over windows that begin at each entry. */
function mostInAMinute(entries: readonly { readonly at: number; readonly amount: number }[]): number {
  return Math.max(
    0,
    ...entries.map(({ at: from }) =>
      entries.reduce((sum, { at, amount }) => sum + (at >= from && at < from + 60_000 ? amount : 0), 0),
    ),
  )
}
