import { describe, expect, test } from 'vitest'
import type { SharedLimits } from '../../src/traffic/shared-breakers.ts'
import { createSharedBreakers } from '../../src/traffic/shared-breakers.ts'
import { createFakeClock } from './fake-clock.ts'
import { modelLimits } from './model-breakers.ts'

const BREAKER = { failures: 3, restMs: 1000, mostRestMs: 8000, probes: 3 }
const TIMEOUT_MS = 5000

/** Processes that share their breakers, on one clock. */
function processes(count: number, change: (limits: SharedLimits) => Partial<SharedLimits> = () => ({})) {
  const clock = createFakeClock()
  const whole = modelLimits(clock.now)
  const limits = { ...whole, ...change(whole) }
  const errors: unknown[] = []
  const breakers = Array.from({ length: count }, (_, number) =>
    createSharedBreakers({
      limits,
      breaker: BREAKER,
      timeoutMs: TIMEOUT_MS,
      by: `process ${number}`,
      now: clock.now,
      failed: (error) => errors.push(error),
    }),
  )
  const models = breakers.map((own) => own.ofModel('m'))
  const states = () => models.map((model) => model.state(clock.now()))
  const refresh = () => Promise.all(breakers.map((own) => own.refresh()))
  return { clock, breakers, models, states, refresh, errors }
}

/** Three failures across the processes, which all of them know. */
async function resting(count: number, change?: Parameters<typeof processes>[1]) {
  const world = processes(count, change)
  for (let failure = 0; failure < BREAKER.failures; failure++) {
    world.models[failure % count]?.failed('server', world.clock.now())
  }
  await settled()
  await world.refresh()
  return world
}

describe('a model that fails over several processes', () => {
  test('rests for all of them after failures in a row that none of them saw alone', async () => {
    const { states, models, clock } = await resting(3)
    expect(states()).toEqual(['resting', 'resting', 'resting'])
    expect(models[0]?.readyAt()).toBe(clock.now() + BREAKER.restMs)
  })

  test('does not rest after a success in between', async () => {
    const { models, states, refresh, clock } = processes(2)
    for (let failure = 0; failure < 8; failure++) {
      models[failure % 2]?.failed('server', clock.now())
      await settled()
      if (failure % 2 === 1) models[0]?.succeeded()
      await settled()
      await refresh()
    }
    expect(states()).toEqual(['closed', 'closed'])
  })

  test('counts only failures that say something about the model', async () => {
    const { models, states, refresh, clock } = processes(2)
    for (const kind of ['rate-limit', 'aborted', 'empty', 'request'] as const) {
      for (let times = 0; times < 5; times++) models[times % 2]?.failed(kind, clock.now())
    }
    await settled()
    await refresh()
    expect(states()).toEqual(['closed', 'closed'])
  })

  test('is probed by one of them when the rest is over, for any request', async () => {
    const { clock, states, models } = await resting(4)
    await clock.advance(BREAKER.restMs)
    states()
    await settled()
    const after = states()
    expect(after.filter((state) => state === 'ready').length).toBe(1)
    expect(after.filter((state) => state === 'resting').length).toBe(3)
    const prober = models[after.indexOf('ready')]
    prober?.probe()
    expect(states().filter((state) => state === 'probing').length).toBe(1)
    prober?.failed('server', clock.now())
    await settled()
    expect(states()).toEqual(['resting', 'resting', 'resting', 'resting'])
    expect(prober?.readyAt()).toBe(clock.now() + 2 * BREAKER.restMs)
  })

  test('is available to all again when the probe succeeded', async () => {
    const { clock, states, models, refresh } = await resting(2)
    await clock.advance(BREAKER.restMs)
    states()
    await settled()
    const prober = models[states().indexOf('ready')]
    prober?.probe()
    prober?.succeeded()
    await settled()
    await refresh()
    expect(states()).toEqual(['closed', 'closed'])
    expect(models.map((model) => model.isDown())).toEqual([false, false])
  })

  test('is probed by another process when the one that claimed the probe is gone', async () => {
    const { clock, states, models, breakers } = await resting(2)
    await clock.advance(BREAKER.restMs)
    models[0]?.state(clock.now())
    await settled()
    models[0]?.probe()
    for (let looks = 0; looks < 3; looks++) {
      models[1]?.state(clock.now())
      await settled()
    }
    expect(states()[1]).toBe('resting')
    await clock.advance(2 * TIMEOUT_MS + 1)
    await breakers[1]?.refresh()
    models[1]?.state(clock.now())
    await settled()
    expect(states()[1]).toBe('ready')
  })

  test('is down for all after its probes failed', async () => {
    const { clock, states, models, refresh } = await resting(2)
    for (let probe = 0; probe < BREAKER.probes; probe++) {
      await clock.advance(BREAKER.mostRestMs)
      states()
      await settled()
      const prober = models[states().indexOf('ready')]
      expect(prober).toBeDefined()
      prober?.probe()
      prober?.failed('network', clock.now())
      await settled()
      await refresh()
    }
    expect(models.map((model) => model.isDown())).toEqual([true, true])
  })

  test('is still probed when the clock of the database was set back', async () => {
    const HOUR_MS = 3_600_000
    let setBackMs = 0
    const { clock, states, refresh } = await resting(1, (limits) => ({
      breakers: async () =>
        (await limits.breakers()).map((row) => ({
          ...row,
          probeBy: 'gone',
          probeForMs: TIMEOUT_MS + setBackMs,
          restsForMs: (row.restsForMs ?? 0) + setBackMs,
        })),
    }))
    await clock.advance(BREAKER.restMs)
    await refresh()
    states()
    await settled()
    expect(states()).toEqual(['resting'])
    setBackMs = HOUR_MS
    await refresh()
    states()
    await settled()
    expect(states()).toEqual(['ready'])
  })

  test('is probed after another claim if the first claim of the probe failed', async () => {
    let isAway = true
    const away = new Error('the database is away')
    const { clock, states, errors } = await resting(1, (limits) => ({
      probe: (name, by, forMs) => (isAway ? Promise.reject(away) : limits.probe(name, by, forMs)),
    }))
    await clock.advance(BREAKER.restMs)
    states()
    await settled()
    expect(errors).toEqual([away])
    isAway = false
    states()
    await settled()
    expect(states()).toEqual(['ready'])
  })
})

describe('a pause that a provider asked for', () => {
  test('applies at once to the process that received it, to the others when they poll, and the longest counts', async () => {
    const { clock, breakers, refresh } = processes(2)
    breakers[0]?.pause('p', 5000)
    breakers[0]?.pause('p', 1000)
    const until = clock.now() + 5000
    expect(breakers[0]?.pausedUntil('p')).toBe(until)
    expect(breakers[1]?.pausedUntil('p')).toBe(Number.NEGATIVE_INFINITY)
    await refresh()
    expect(breakers.map((own) => own.pausedUntil('p'))).toEqual([until, until])
  })

  test('of a year is cut to ten minutes, for the process that received it and for the others', async () => {
    const { clock, breakers, refresh } = processes(2)
    breakers[0]?.pause('p', 365 * 86_400_000)
    await refresh()
    const until = clock.now() + 600_000
    expect(breakers.map((own) => own.pausedUntil('p'))).toEqual([until, until])
  })

  test('applies to that provider alone', async () => {
    const { breakers, refresh } = processes(2)
    breakers[0]?.pause('p', 5000)
    await refresh()
    expect(breakers[1]?.pausedUntil('q')).toBe(Number.NEGATIVE_INFINITY)
  })
})

/** Waits for the work in the background. */
async function settled(): Promise<void> {
  await new Promise(setImmediate)
}
