import { describe, expect, test } from 'vitest'
import { driftWatch } from '../../../src/monitor/drift-watch.ts'
import { createCertificateCache } from '../../../src/server/deciding/certificate-cache.ts'
import { createDriftSequence } from '../../../src/server/deciding/monitor/drift-sequence.ts'
import { openDrift } from '../../../src/server/deciding/monitor/stored-drift.ts'
import type { Services } from '../../../src/server/services.ts'
import { timerSleep } from '../../../src/traffic/timer-sleep.ts'
import { memoryStore } from '../../run/run-world.ts'
import { createRun, sampleCounted, sampleDebate } from '../../store/samples.ts'
import { keptDrift, slowWalk } from './slow-walk.ts'
import { ANN, calibrated, certifyInput, decided, FRESH, inputOf, serveWorld } from './world.ts'

const ASKED = { who: ANN, idempotencyKey: null }

/** Questions of the panel and posted debates, one of them without a decision yet. */
async function work(services: Services, from: number, to: number): Promise<void> {
  const { debates } = await calibrated()
  for (let at = from; at < to; at++) {
    const [question, debate] = [FRESH[at], debates[at]]
    if (question === undefined || debate === undefined) throw new Error('nothing to ask')
    await services.certify(certifyInput(debate, 1 + (at % 4), { id: `other ${at}` }), ANN)
    await decided(services, (await services.decisions.ask(inputOf(question), ASKED)).id)
  }
}

const seconds = { sleep: (ms: number, signal?: AbortSignal) => timerSleep(ms === 5000 ? 10 : ms, signal) }

describe('the state of the monitors', () => {
  test('equals, bit for bit, a walk over all arrivals at any time, even after a stop or a crash', async () => {
    const store = memoryStore()
    const first = await serveWorld({ store, plan: { spotCheckRate: 0.3 } })
    await work(first.services, 0, 12)
    await first.services.stop()
    expect(await keptDrift(store)).toStrictEqual(await slowWalk(store))
    expect((await keptDrift(store))?.arrival).toBe(24)
    const second = await serveWorld({ store, plan: { spotCheckRate: 0.3 } })
    await work(second.services, 12, 20)
    second.kill()
    const { services } = await serveWorld({ store, plan: { spotCheckRate: 0.3 } })
    await work(services, 20, 25)
    await services.stop()
    expect(await keptDrift(store)).toStrictEqual(await slowWalk(store))
    expect((await keptDrift(store))?.arrival).toBe(50)
  })

  test('reaches from one process into another within seconds', async () => {
    const store = memoryStore()
    const watching = await serveWorld({ store, tools: seconds })
    const deciding = await serveWorld({ store })
    await work(deciding.services, 0, 5)
    const { debates } = await calibrated()
    for (const [at, debate] of debates.slice(20, 24).entries()) {
      await watching.services.certify(certifyInput(debate, 4, { id: `here ${at}` }), ANN)
    }
    await expect
      .poll(async () => (await watching.services.monitor()).drift?.counted)
      .toBe((await slowWalk(store)).state.arrivals)
    const [here, there] = await Promise.all([watching.services.monitor(), deciding.services.monitor()])
    expect(here.automation.acted?.of).toBeGreaterThanOrEqual(9)
    expect(here.automation).toEqual(there.automation)
    await watching.services.stop()
    expect(await keptDrift(store)).toStrictEqual(await slowWalk(store))
  })
})

test('a question that nobody continues delays later ones for an hour after the last activity of its run', async () => {
  const store = memoryStore()
  const { certified } = await calibrated()
  const run = await createRun(store, 2, { kind: 'decide', certificateId: certified.id })
  // Of the two questions it arrived second.
  await store.debates.save(sampleDebate('q0', { at: sampleCounted.at + 1_800_000 }))
  const settings = { seed: 1 }
  const cached = createCertificateCache(store).put(certified)
  const arrivalAfter = async (minutes: number) => {
    const now = () => sampleCounted.at + minutes * 60_000
    const { sequence } = await openDrift({ store, now, settings }, { cached, eventId: run.id, since: 0 })
    await sequence.catchUp(10)
    return sequence.place().arrival
  }
  expect([await arrivalAfter(1), await arrivalAfter(61), await arrivalAfter(89), await arrivalAfter(91)]).toEqual([
    0, 0, 0, 2,
  ])
})

describe('a sequence of arrivals', () => {
  const watch = driftWatch({ eta: 0.05, reference: [0.1, 0.5, 0.9], seed: 1 })
  const name = (arrival: number) => ({ runId: 'r', questionId: `q${arrival}` })
  const score = (arrival: number) => ((arrival * 7) % 10) / 10
  const all = (count: number) =>
    watch.observe(
      watch.start,
      Array.from({ length: count }, (_, at) => ({ ...name(at + 1), score: score(at + 1) })),
    )

  function sequenceOver(stored: ReadonlyMap<number, number | null | undefined>) {
    const from = { arrival: 0, state: watch.start }
    return createDriftSequence({
      watch,
      from,
      read: async ({ after, limit }) =>
        [...stored].flatMap(([arrival, found]) =>
          arrival > after && arrival <= after + limit ? [{ ...name(arrival), arrival, score: found }] : [],
        ),
    })
  }

  test('observes what it receives and what it reads once, in order of arrival', async () => {
    const stored = new Map<number, number>()
    const sequence = sequenceOver(stored)
    for (const arrival of [3, 5, 2, 2]) sequence.scored(arrival, name(arrival), score(arrival))
    expect(sequence.place()).toEqual({ arrival: 0, state: watch.start })
    for (let arrival = 1; arrival <= 250; arrival++) stored.set(arrival, score(arrival))
    expect(await sequence.catchUp(2)).toBe(true)
    sequence.scored(1, name(1), 0)
    expect(await sequence.catchUp(1000)).toBe(false)
    expect(sequence.place()).toStrictEqual({ arrival: 250, state: all(250) })
  })

  test('waits for a question that is still being debated, and skips one without a score', async () => {
    const stored = new Map<number, number | null | undefined>([
      [1, score(1)],
      [2, undefined],
      [3, score(3)],
    ])
    const sequence = sequenceOver(stored)
    expect(await sequence.catchUp(1000)).toBe(false)
    expect(sequence.place()).toStrictEqual({ arrival: 1, state: all(1) })
    stored.set(2, null)
    await sequence.catchUp(1000)
    expect(sequence.place().arrival).toBe(3)
    expect(sequence.report().counted).toBe(2)
  })
})
