import { describe, expect, test } from 'vitest'
import { StoreError } from '../../src/record/store-error.ts'
import { createFailureLog, createRetryLoop } from '../../src/run/workers/retry.ts'
import { createFakeClock } from '../traffic/fake-clock.ts'

const AWAY = new StoreError('unreachable', 'store: nobody answers')
const DAMAGED = new StoreError('damaged', 'store: the server takes no writes')

function loops() {
  const clock = createFakeClock()
  const stopping = new AbortController()
  const logged: string[] = []
  const failures = createFailureLog((words) => logged.push(words))
  const newLoop = () => createRetryLoop({ sleep: clock.sleep, stopping: stopping.signal, failures })
  return { clock, stopping, logged, newLoop }
}

const failing = (error: unknown) => () => Promise.reject(error)

describe('a loop of a worker', () => {
  test('logs a failure once, however often it occurs, and again only after a success', async () => {
    const { clock, logged, newLoop } = loops()
    const loop = newLoop()
    for (let turn = 0; turn < 50; turn++) await clock.run(loop(failing(AWAY)))
    expect(logged).toEqual(['will try again: store: nobody answers'])
    await loop(async () => {})
    await clock.run(loop(failing(AWAY)))
    expect(logged).toEqual([
      'will try again: store: nobody answers',
      'recovered',
      'will try again: store: nobody answers',
    ])
  })

  test('logs a failure of several loops once, and the recovery when all of them succeed', async () => {
    const { clock, logged, newLoop } = loops()
    const [one, two] = [newLoop(), newLoop()]
    await clock.run(Promise.all([one(failing(AWAY)), two(failing(AWAY))]))
    await one(async () => {})
    expect(logged.length).toBe(1)
    await two(async () => {})
    expect(logged).toEqual(['will try again: store: nobody answers', 'recovered'])
  })

  test('waits longer from turn to turn, and starts over after a success', async () => {
    const { clock, newLoop } = loops()
    const loop = newLoop()
    const waits: number[] = []
    const turn = async () => {
      const start = clock.now()
      await clock.run(loop(failing(AWAY)))
      waits.push(clock.now() - start)
    }
    for (let turns = 0; turns < 6; turns++) await turn()
    await loop(async () => {})
    await turn()
    expect(waits).toEqual([1000, 2000, 4000, 8000, 8000, 8000, 1000])
  })

  test('never gives up while the database is unavailable', async () => {
    const { clock, newLoop } = loops()
    const loop = newLoop()
    for (let turn = 0; turn < 500; turn++) await clock.run(loop(failing(AWAY)))
  })

  test('ends with a permanent error that lasted for a minute', async () => {
    const { clock, newLoop } = loops()
    const loop = newLoop()
    const start = clock.now()
    const untilItEnds = async () => {
      for (;;) await loop(failing(DAMAGED))
    }
    await expect(clock.run(untilItEnds())).rejects.toBe(DAMAGED)
    expect(clock.now() - start).toBeGreaterThanOrEqual(60_000)
    expect(clock.now() - start).toBeLessThan(70_000)
  })

  test('does not end if a turn succeeded in between', async () => {
    const { clock, newLoop } = loops()
    const loop = newLoop()
    for (let turn = 0; turn < 100; turn++) await clock.run(loop(turn % 9 === 8 ? async () => {} : failing(DAMAGED)))
  })

  test('does not wait once the worker must stop', async () => {
    const { clock, stopping, newLoop } = loops()
    const loop = newLoop()
    const turn = loop(failing(AWAY))
    await clock.advance(10)
    stopping.abort()
    const start = clock.now()
    await clock.run(turn)
    await clock.run(loop(failing(AWAY)))
    expect(clock.now()).toBe(start)
  })
})
