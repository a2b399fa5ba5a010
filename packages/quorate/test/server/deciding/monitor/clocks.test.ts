import { decide, seededRandom } from '@quorate/certificate'
import { afterAll, describe, expect, test } from 'vitest'
import { startPostgres } from '../../../../../../tools/postgres.ts'
import { openPostgres } from '../../../../src/store/postgres/open-postgres.ts'
import type { Store } from '../../../../src/store/store.ts'
import { timeOrderedIds } from '../../../../src/store/time-ordered-id.ts'
import { timerSleep } from '../../../../src/traffic/timer-sleep.ts'
import { countedModels, memoryStore, sharedCertified } from '../../../run/run-world.ts'
import {
  ANN,
  calibrated,
  certifyInput,
  decided,
  FRESH,
  inputOf,
  LABELLED,
  serveWorld,
  type WorldOptions,
} from '../world.ts'

const HOUR = 3_600_000
const ASKED = { who: ANN, idempotencyKey: null }

let ticks = 0
/** Milliseconds of an accurate clock. */
const rightTime = () => 1_790_000_000_000 + ++ticks

const CLOCKS = {
  right: () => rightTime,
  ahead: () => () => rightTime() + HOUR,
  behind: () => () => rightTime() - HOUR,
  frozen: () => () => 1_790_000_000_000,
  jumping: () => () => rightTime() + (ticks % 2 === 0 ? HOUR : -HOUR),
} as const

let seeds = 100

/** The clock and the ids of one process. Its server never polls the store, so it learns of a suspension only by commits. */
function process(clock: () => number) {
  const sleep = (ms: number, signal?: AbortSignal) => timerSleep(ms === 5000 ? 2 ** 30 : ms, signal)
  return { now: clock, newId: timeOrderedIds({ now: clock, random: seededRandom(++seeds) }), sleep }
}

function serve(clock: () => number, store: Store, options: WorldOptions = {}) {
  return serveWorld({ ...options, store, tools: { ...process(clock), ...options.tools } })
}

/** Debates that the certificate acts on, under ids of their own. */
async function acting(prefix: string) {
  const { certified, debates } = await calibrated()
  const found = debates.filter((debate) => decide(certified.certificate, debate).kind === 'act')
  expect(found.length).toBeGreaterThan(30)
  return found.map((debate) => certifyInput(debate, 4, { id: `${prefix} ${debate.id}` }))
}

describe('the order of policy events', () => {
  test('is that of their commits: a suspension after a clock that was an hour ahead stops every action', async () => {
    const store = memoryStore()
    const fast = await serve(CLOCKS.ahead(), store)
    await fast.services.policy.suspend('a first look', ANN)
    await fast.services.policy.release('all is well', ANN)
    await fast.services.stop()
    const { services } = await serve(CLOCKS.right(), store)
    expect(await services.policy.suspend('stop', ANN)).toMatchObject({
      state: 'suspended',
      cause: 'admin',
      reason: 'stop',
    })
    expect((await services.monitor()).policy.state).toBe('suspended')
    for (const input of (await acting('later')).slice(0, 5)) {
      expect(await services.certify(input, ANN)).toMatchObject({ kind: 'defer', reason: 'suspended' })
    }
    const { id } = await services.decisions.ask(inputOf(FRESH[0] ?? noQuestion()), ASKED)
    expect(await decided(services, id)).toMatchObject({ decision: { kind: 'defer', reason: 'suspended' } })
    await services.stop()
    const again = await serve(CLOCKS.behind(), store)
    expect((await again.services.monitor()).policy).toMatchObject({ state: 'suspended', reason: 'stop' })
  })

  test('determines which certificate is active, and a server reports events from the future', async () => {
    const store = memoryStore()
    await (await serve(CLOCKS.ahead(), store)).services.stop()
    const other = await sharedCertified(LABELLED, { budget: { beta: 0.25, delta: 0.03, epsilon: 0.02 } })
    const { services, reported } = await serve(CLOCKS.right(), store, { certified: other })
    expect((await services.monitor()).certificate?.id).toBe(other.id)
    const [input] = await acting('new')
    expect((await services.certify(input ?? noQuestion(), ANN)).certificate).toBe(other.id)
    expect(reported).toMatchObject([{ words: expect.stringContaining('dated in the future') }])
  })
})

test('counts every question after a release, even if the clock of the release was an hour ahead', async () => {
  const store = memoryStore()
  const plan = { spotCheckRate: 1 }
  const other = await sharedCertified(LABELLED, { budget: { beta: 0.25, delta: 0.03, epsilon: 0.02 } })
  const fast = await serve(CLOCKS.ahead(), store, { certified: other, plan })
  for (const input of (await acting('before')).slice(0, 2)) await fast.services.certify(input, ANN)
  const { certified } = await calibrated()
  await store.certificates.save({ id: certified.id, file: certified.file, at: 1, runId: null })
  await fast.services.certificates.activate(certified.id, { who: ANN, note: 'the usual one' })
  await fast.services.policy.suspend('a first look', ANN)
  await fast.services.policy.release('all is well', ANN)
  await fast.services.stop()
  const { services } = await serve(CLOCKS.right(), store, { plan })
  for (const input of (await acting('after')).slice(0, 3)) {
    await services.certify({ ...input, certificate: other.id }, ANN)
  }
  await services.stop()
  const again = await serve(CLOCKS.right(), store, { plan })
  expect((await again.services.monitor()).others).toMatchObject([{ certificate: other.id, alarm: { counted: 3 } }])
})

const start = await startPostgres({ fsync: 'off' })

if (start.kind === 'absent') test.skip(`two servers on PostgreSQL: ${start.reason}`, () => {})
else {
  const { url, stop } = start.postgres
  afterAll(() => stop())

  describe('two servers on PostgreSQL', () => {
    const pairs = [
      ['right', 'ahead'],
      ['behind', 'ahead'],
      ['frozen', 'ahead'],
      ['frozen', 'frozen'],
      ['jumping', 'frozen'],
      ['right', 'jumping'],
    ] as const
    for (const [first, second] of pairs) {
      test(`a suspension by one whose clock is ${first} stops the other, whose clock is ${second}`, async () => {
        const stores = await Promise.all([1, 2].map(() => openPostgres(url, { now: () => 0, connections: 3 })))
        const [here = noQuestion(), there = noQuestion()] = stores
        const gate = waitingModels()
        const one = await serve(CLOCKS[first](), here)
        const two = await serve(CLOCKS[second](), there, { models: gate.models })
        await two.services.policy.suspend('a first look', ANN)
        await two.services.policy.release('all is well', ANN)
        const before = await acting(`before ${first} ${second}`)
        expect((await two.services.certify(before[0] ?? noQuestion(), ANN)).kind).toBe('act')
        // These debates have begun when the suspension comes.
        const asked = await Promise.all(
          FRESH.slice(0, 6).map((question) =>
            two.services.decisions.ask({ ...inputOf(question), id: `${first} ${second} ${question.id}` }, ASKED),
          ),
        )
        await gate.isAsked
        expect(await one.services.policy.suspend('stop', ANN)).toMatchObject({ state: 'suspended', reason: 'stop' })
        gate.open()
        const inputs = (await acting(`after ${first} ${second}`)).slice(0, 10)
        for (const { services } of [one, two]) {
          for (const input of inputs) {
            const { kind, reason } = await services.certify(
              { ...input, id: `${input.id} ${services === one.services}` },
              ANN,
            )
            expect([kind, reason]).toEqual(['defer', 'suspended'])
          }
        }
        const verdicts = await Promise.all(asked.map(async ({ id }) => (await decided(two.services, id)).decision))
        expect(verdicts.map((verdict) => verdict?.kind)).toEqual(asked.map(() => 'defer'))
        expect(verdicts.map((verdict) => verdict?.reason)).toContain('suspended')
        expect((await two.services.monitor()).policy).toMatchObject({ state: 'suspended', reason: 'stop' })
        await two.services.policy.release('looked at it', ANN)
        expect((await one.services.monitor()).policy.state).toBe('live')
        const [free] = await acting(`released ${first} ${second}`)
        expect((await one.services.certify(free ?? noQuestion(), ANN)).kind).toBe('act')
        await Promise.all([one.services.stop(), two.services.stop()])
        await Promise.all(stores.map((store) => store.close()))
      })
    }
  })
}

/** Agents that answer once the gate is open. */
function waitingModels() {
  const gate = new AbortController()
  const asked = new AbortController()
  const { models } = countedModels(async () => {
    asked.abort()
    await fired(gate.signal)
  })
  return { models, isAsked: fired(asked.signal), open: () => gate.abort() }
}

function fired(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function noQuestion(): never {
  throw new Error('there is no such thing')
}
