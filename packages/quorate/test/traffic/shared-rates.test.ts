import { seededRandom } from '@quorate/certificate'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ProviderLimits } from '../../src/traffic/limits.ts'
import type { SharedLimits } from '../../src/traffic/shared-limits.ts'
import { createSharedRates } from '../../src/traffic/shared-rates.ts'
import { createFakeClock, type FakeClock } from './fake-clock.ts'
import { obviousLimiter } from './obvious-limiter.ts'

const BURST = 2
/** Of processes that are late again and again, but never later than this. */
const LATE_MS = 60
const LONG_MS = 3000
/** Of a process that has just begun. */
const COLD_REQUESTS = 8
const NEVER = new AbortController().signal

interface World {
  readonly providers: Readonly<Record<string, ProviderLimits>>
  readonly clients: number
  readonly requests: number
  readonly seed: number
  /** Longest way to the limiter, and back. */
  readonly answerMs: number
  /** So long at the start of every second answers are not heard. */
  readonly stallMs?: number
  /** Longest time that a sleep takes too long. */
  readonly oversleepMs: number
  /** Requests arrive within so much time. */
  readonly withinMs: number
}

interface Sent {
  readonly at: number
  readonly tokens: number
}

/** Several clients over one limiter, each with its own delays and long at work; when each request was sent. */
async function send(world: World): Promise<readonly Sent[]> {
  const { providers, clients, requests, seed, answerMs, stallMs = 0, oversleepMs, withinMs } = world
  const clock = createFakeClock()
  const random = seededRandom(seed)
  const quick = delayed(
    obviousLimiter(() => clock.now() * 1000),
    clock,
    () => random() * answerMs,
  )
  const limits: typeof quick = {
    ...quick,
    async take(lines) {
      const taken = await quick.take(lines)
      await clock.sleep(stallMs - (clock.now() % 1000))
      return taken
    },
  }
  const rates = Array.from({ length: clients }, () =>
    createSharedRates({
      ...{ limits, providers, now: clock.now, failed: fail },
      sleep: (milliseconds, signal) => clock.sleep(milliseconds + random() * oversleepMs, signal),
    }),
  )
  for (const client of rates) {
    for (let cold = 0; cold < COLD_REQUESTS; cold++) await clock.run(client.admit('p', 1, NEVER))
  }
  await clock.advance(LONG_MS)
  const sent: Sent[] = []
  const one = async (number: number) => {
    const tokens = 1 + Math.floor(random() * 100)
    await clock.sleep(random() * withinMs)
    expect(await rates[number % clients]?.admit('p', tokens, NEVER)).toBe(true)
    sent.push({ at: clock.now(), tokens })
  }
  await clock.run(Promise.all(Array.from({ length: requests }, (_, number) => one(number))))
  return sent.toSorted((left, right) => left.at - right.at)
}

function delayed(
  limits: ReturnType<typeof obviousLimiter>,
  clock: FakeClock,
  delay: () => number,
): ReturnType<typeof obviousLimiter> {
  return {
    ...limits,
    async take(lines) {
      await clock.sleep(delay())
      const taken = await limits.take(lines)
      await clock.sleep(delay())
      return taken
    },
  }
}

/** Most that was sent beyond what the rate gives, over all windows that begin and end with a request. */
function mostBeyond(sent: readonly Sent[], perMs: number, of: (one: Sent) => number): number {
  let most = Number.NEGATIVE_INFINITY
  for (const [from, first] of sent.entries()) {
    let sum = 0
    for (const one of sent.slice(from)) {
      sum += of(one)
      most = Math.max(most, sum - of(one) - (one.at - first.at) * perMs)
    }
  }
  return most
}

const worlds = fc.record({
  clients: fc.integer({ min: 1, max: 4 }),
  requests: fc.integer({ min: 2, max: 40 }),
  seed: fc.nat(),
  answerMs: fc.integer({ min: 0, max: 40 }),
  oversleepMs: fc.integer({ min: 0, max: LATE_MS }),
  withinMs: fc.integer({ min: 0, max: 3000 }),
})

describe('a rate over several clients', () => {
  test('is kept in every window, however they are delayed: the rate, the burst, and what may be late', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, fc.integer({ min: 60, max: 12_000 }), async (world, requestsPerMinute) => {
        const sent = await send({ ...world, providers: { p: { requestsPerMinute } } })
        expect(sent.length).toBe(world.requests)
        const perMs = requestsPerMinute / 60_000
        // A place may be used so much after it was due; the last request of a window is not counted.
        const late = LATE_MS + world.answerMs
        expect(mostBeyond(sent, perMs, () => 1)).toBeLessThanOrEqual(BURST - 1 + late * perMs + 1e-6)
      }),
      { numRuns: 60 },
    )
  })

  test('is exact where nothing is delayed, and used to the full', async () => {
    const world = { clients: 3, requests: 60, seed: 5, answerMs: 0, oversleepMs: 0, withinMs: 0 }
    const sent = await send({ ...world, providers: { p: { requestsPerMinute: 600 } } })
    expect(sent.map(({ at }) => at - (sent[0]?.at ?? 0))).toEqual([0, ...sent.slice(1).map((_, place) => place * 100)])
  })

  test('companion: clients that keep it each on their own go beyond', async () => {
    const alone = { clients: 1, requests: 30, answerMs: 0, oversleepMs: 0, withinMs: 0 }
    const providers = { p: { requestsPerMinute: 600 } }
    const [one, two] = await Promise.all([1, 2].map((seed) => send({ ...alone, seed, providers })))
    const both = [...(one ?? []), ...(two ?? [])].toSorted((left, right) => left.at - right.at)
    expect(mostBeyond(both, 600 / 60_000, () => 1)).toBeGreaterThan(2 * BURST)
  })

  test('of tokens is kept as well, and neither limit bunches up what the other spread', async () => {
    await fc.assert(
      fc.asyncProperty(
        worlds,
        fc.integer({ min: 600, max: 12_000 }),
        fc.integer({ min: 3000, max: 100_000 }),
        async (world, requestsPerMinute, tokensPerMinute) => {
          const sent = await send({ ...world, providers: { p: { requestsPerMinute, tokensPerMinute } } })
          const late = LATE_MS + world.answerMs
          const [requests, tokens] = [requestsPerMinute / 60_000, tokensPerMinute / 60_000]
          expect(mostBeyond(sent, requests, () => 1)).toBeLessThanOrEqual(BURST - 1 + late * requests + 1e-6)
          const most = Math.max(...sent.map((one) => one.tokens))
          expect(mostBeyond(sent, tokens, (one) => one.tokens)).toBeLessThanOrEqual(BURST * most + late * tokens + 1e-6)
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('answers that take long', () => {
  const providers = { p: { requestsPerMinute: 6000 } }

  test('are late for their places, which are given up: what all of them send stays within the rate', async () => {
    const world = { clients: 4, requests: 200, answerMs: 2, oversleepMs: 0, withinMs: 2000, providers }
    const beyond = async (stallMs: number, seed: number) =>
      mostBeyond(await send({ ...world, seed, stallMs }), 0.1, () => 1)
    for (const stallMs of [0, 40, 100, 200, 400, 900, 990]) {
      for (const seed of [1, 2, 3]) {
        expect(await beyond(stallMs, seed)).toBeLessThanOrEqual(BURST - 1 + (LATE_MS + 2 * 2) * 0.1)
      }
    }
  })

  test.each([100, 300, 2000])('from some moment on, by %d ms, do not keep requests for ever', async (slowMs) => {
    const clock = createFakeClock()
    let delayMs = 1
    const limits = delayed(
      obviousLimiter(() => clock.now() * 1000),
      clock,
      () => delayMs / 2,
    )
    const rates = createSharedRates({ limits, providers, now: clock.now, sleep: clock.sleep, failed: fail })
    for (let request = 0; request < 20; request++) await clock.run(rates.admit('p', 1, NEVER))
    delayMs = slowMs
    const start = clock.now()
    const oneByOne = async () => {
      for (let request = 0; request < 25; request++) await rates.admit('p', 1, NEVER)
    }
    await clock.run(Promise.all(Array.from({ length: 16 }, oneByOne)))
    // As long as the answers take, and what is lost until they are known to take it.
    expect(clock.now() - start).toBeLessThan(25 * slowMs + 8 * slowMs + 25 * 160)
  })
})

describe('a process that has just begun', () => {
  const spacing = async (requestsPerMinute: number) => {
    const clock = createFakeClock()
    const limits = obviousLimiter(() => clock.now() * 1000)
    const providers = { p: { requestsPerMinute } }
    const rates = createSharedRates({ limits, providers, now: clock.now, sleep: clock.sleep, failed: fail })
    const times: number[] = []
    const start = clock.now()
    const oneByOne = async () => {
      for (let request = 0; request < 80; request++) {
        await rates.admit('p', 1, NEVER)
        times.push(clock.now() - start)
      }
    }
    await clock.run(oneByOne())
    return times.map((time, place) => Math.round(time - (times[place - 1] ?? 0)))
  }

  test('takes the places of two for its first requests', async () => {
    const waits = await spacing(6000)
    expect(waits.slice(0, 9)).toEqual([0, ...Array.from({ length: 8 }, () => 20)])
    expect(new Set(waits.slice(9))).toEqual(new Set([10]))
  })

  test('waits hardly longer for it where places are far apart', async () => {
    expect((await spacing(60)).slice(0, 12)).toEqual([
      0,
      40,
      ...Array.from({ length: 7 }, () => 1020),
      1000,
      1000,
      1000,
    ])
  })
})

describe('a process that is busy in pieces', () => {
  /** Requests a second of a rate of 50, with so many waiting at a time; nothing happens within a piece. */
  const perSecond = async (pieceMs: number) => {
    const clock = createFakeClock()
    const piece = (milliseconds: number) => Math.ceil((clock.now() + milliseconds) / pieceMs) * pieceMs - clock.now()
    const rates = createSharedRates({
      limits: delayed(
        obviousLimiter(() => clock.now() * 1000),
        clock,
        () => piece(1) / 2,
      ),
      ...{ providers: { p: { requestsPerMinute: 3000 } }, now: clock.now, failed: fail },
      sleep: (milliseconds, signal) => clock.sleep(piece(milliseconds), signal),
    })
    const sent: Sent[] = []
    const one = async () => {
      for (let request = 0; request < 25; request++) {
        await rates.admit('p', 1, NEVER)
        sent.push({ at: clock.now(), tokens: 1 })
      }
    }
    await clock.run(Promise.all(Array.from({ length: 16 }, one)))
    const seconds = ((sent[300]?.at ?? Number.NaN) - (sent[50]?.at ?? Number.NaN)) / 1000
    return { rate: 250 / seconds, beyond: mostBeyond(sent, 50 / 1000, () => 1) }
  }

  test('uses its rate to nearly the full where they are as long as a place may be missed by', async () => {
    const { rate, beyond } = await perSecond(60)
    expect(rate).toBeGreaterThan(0.95 * 50)
    // Sixty milliseconds that the answer takes, and sixty that it may be late.
    expect(beyond).toBeLessThanOrEqual(BURST - 1 + 0.12 * 50 + 1e-6)
  })
})

describe('a rate of tokens', () => {
  test('lets no more than its minute through at once after a rest, however large the requests are', async () => {
    const clock = createFakeClock()
    const limits = obviousLimiter(() => clock.now() * 1000)
    const providers = { p: { tokensPerMinute: 10_000 } }
    const rates = createSharedRates({ limits, providers, now: clock.now, sleep: clock.sleep, failed: fail })
    const start = clock.now()
    const times = [1, 2, 3, 4].map(async () => {
      await rates.admit('p', 5000, NEVER)
      return clock.now() - start
    })
    expect(await clock.run(Promise.all(times))).toEqual([0, 0, 30_000, 60_000])
  })
})

describe('requests behind one that takes many tokens', () => {
  const providers = { p: { requestsPerMinute: 600, tokensPerMinute: 6000 } }
  const bunched = async (limitsOf: (whole: ReturnType<typeof obviousLimiter>) => ReturnType<typeof obviousLimiter>) => {
    const clock = createFakeClock()
    const limits = limitsOf(obviousLimiter(() => clock.now() * 1000))
    const rates = createSharedRates({ limits, providers, now: clock.now, sleep: clock.sleep, failed: fail })
    const sent: Sent[] = []
    const one = async (tokens: number) => {
      await rates.admit('p', tokens, NEVER)
      sent.push({ at: clock.now(), tokens })
    }
    await clock.run(Promise.all([6000, 6000, ...Array.from({ length: 40 }, () => 1)].map(one)))
    return mostBeyond(sent, 600 / 60_000, () => 1)
  }

  test('go out one by one when it is over', async () => {
    expect(await bunched((whole) => whole)).toBeLessThanOrEqual(BURST)
  })

  test('companion: with a place in each line on its own they go out together', async () => {
    const apart = (whole: ReturnType<typeof obviousLimiter>) => ({
      ...whole,
      async take(lines: Parameters<typeof whole.take>[0]) {
        const places = await Promise.all(lines.map((line) => whole.take([line])))
        const [first = fail()] = places
        return { ...first, waitMicros: Math.max(...places.map(({ waitMicros }) => waitMicros)) }
      },
    })
    expect(await bunched(apart)).toBeGreaterThan(10 * BURST)
  })
})

describe('a request', () => {
  const slow = { p: { requestsPerMinute: 60, tokensPerMinute: 6000 } }

  test('that nothing limits asks nobody', async () => {
    const rates = createSharedRates({ ...clockParts(), limits: unasked(), providers: {}, failed: fail })
    expect(await rates.admit('p', 10, NEVER)).toBe(true)
    rates.settle('p', { admitted: 10, used: 0 })
  })

  test.each([
    { oversleeps: [31], taken: 4 },
    { oversleeps: [31, 60], taken: 4 },
    { oversleeps: [31, 61, 60], taken: 5 },
    { oversleeps: [900, 900, 900, 61, 60], taken: 7 },
    { oversleeps: [900, 900, 900, 900, 900, 250], taken: 8 },
    { oversleeps: [900, 900, 900, 900, 900, 251], taken: 9 },
  ])(
    'that wakes up too late for its place takes another, less strict after a miss and after five: $oversleeps',
    async (world) => {
      const clock = createFakeClock()
      const { limits, taken } = counted(clock)
      const oversleeps = [...world.oversleeps]
      const rates = createSharedRates({
        ...{ limits, providers: slow, now: clock.now, failed: fail },
        sleep: (milliseconds, signal) => clock.sleep(milliseconds + (oversleeps.shift() ?? 0), signal),
      })
      for (let place = 0; place < 3; place++) expect(await clock.run(rates.admit('p', 1, NEVER))).toBe(true)
      expect(taken()).toBe(world.taken)
    },
  )

  test('that is given up while it waits is not sent; one that was given up before takes no place', async () => {
    const clock = createFakeClock()
    const { limits, taken } = counted(clock)
    const rates = createSharedRates({ limits, providers: slow, now: clock.now, sleep: clock.sleep, failed: fail })
    for (let place = 0; place < 2; place++) await clock.run(rates.admit('p', 50, NEVER))
    const giving = new AbortController()
    const waiting = rates.admit('p', 50, giving.signal)
    await clock.advance(10)
    giving.abort()
    expect(await clock.run(waiting)).toBe(false)
    expect(await rates.admit('p', 50, giving.signal)).toBe(false)
    expect(taken()).toBe(3)
  })

  test('gives back what it did not use of what was taken for it, and no more', async () => {
    const clock = createFakeClock()
    const { limits, owed } = counted(clock)
    const rates = createSharedRates({ limits, providers: slow, now: clock.now, sleep: clock.sleep, failed: fail })
    await clock.run(rates.admit('p', 20_000, NEVER))
    expect(owed()).toBe(6000)
    rates.settle('p', { admitted: 20_000, used: 5900 })
    expect(owed()).toBe(5900)
    rates.settle('p', { admitted: 10, used: 25 })
    expect(owed()).toBe(5915)
  })

  test.each([1e9, Number.POSITIVE_INFINITY])(
    'whose provider reports %d tokens owes a minute of them at most',
    async (used) => {
      const clock = createFakeClock()
      const { limits, owed } = counted(clock)
      const rates = createSharedRates({ limits, providers: slow, now: clock.now, sleep: clock.sleep, failed: fail })
      rates.settle('p', { admitted: 10, used })
      expect(owed()).toBe(6000)
    },
  )

  test('does not fail because its tokens cannot be given back', async () => {
    const told: unknown[] = []
    const away = new Error('the database is away')
    const limits = { ...obviousLimiter(() => 0), giveBack: () => Promise.reject(away) }
    const clock = clockParts()
    const rates = createSharedRates({ ...clock, limits, providers: slow, failed: (error) => told.push(error) })
    rates.settle('p', { admitted: 10, used: 1 })
    await new Promise(setImmediate)
    expect(told).toEqual([away])
  })
})

function clockParts() {
  const { now, sleep } = createFakeClock()
  return { now, sleep }
}

/** How often a place was taken, and tokens that are taken and not given back. */
function counted(clock: FakeClock) {
  const limits = obviousLimiter(() => clock.now() * 1000)
  let taken = 0
  let owed = 0
  const counting: Pick<SharedLimits, 'take' | 'giveBack'> = {
    take(lines) {
      if (lines.some(({ amount }) => amount > 0)) taken += 1
      owed += lines.find(({ name }) => name === 'tokens p')?.amount ?? 0
      return limits.take(lines)
    },
    giveBack(unused) {
      owed -= Math.round(unused.micros / 10_000)
      return limits.giveBack(unused)
    },
  }
  return { limits: counting, taken: () => taken, owed: () => owed }
}

function unasked(): Pick<SharedLimits, 'take' | 'giveBack'> {
  return { take: fail, giveBack: fail }
}

function fail(): never {
  throw new Error('expected not to be called')
}
