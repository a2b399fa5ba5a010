import { describe, expect, test } from 'vitest'
import { StoreError } from '../../src/record/store-error.ts'
import { createFailureLog, createPassRunner } from '../../src/run/workers/pass-runner.ts'
import { createFakeClock } from '../traffic/fake-clock.ts'

const AWAY = new StoreError('unreachable', 'store: nobody answers')
const DAMAGED = new StoreError('damaged', 'store: the server takes no writes')

function world() {
  const clock = createFakeClock()
  const stopping = new AbortController()
  const logged: string[] = []
  const failures = createFailureLog((words) => logged.push(words))
  const newRunner = () => createPassRunner({ sleep: clock.sleep, stopping: stopping.signal, failures })
  return { clock, stopping, logged, newRunner }
}

const failing = (error: unknown) => () => Promise.reject(error)

describe('the runner of a loop of a worker', () => {
  test('logs a failure once, however often it occurs, and again only after a success', async () => {
    const { clock, logged, newRunner } = world()
    const runner = newRunner()
    for (let pass = 0; pass < 50; pass++) await clock.run(runner.run(failing(AWAY)))
    expect(logged).toEqual(['will try again: store: nobody answers'])
    await runner.run(async () => {})
    await clock.run(runner.run(failing(AWAY)))
    expect(logged).toEqual([
      'will try again: store: nobody answers',
      'recovered',
      'will try again: store: nobody answers',
    ])
  })

  test('logs a failure of several loops once, and the recovery when all of them succeed', async () => {
    const { clock, logged, newRunner } = world()
    const [one, two] = [newRunner(), newRunner()]
    await clock.run(Promise.all([one.run(failing(AWAY)), two.run(failing(AWAY))]))
    await one.run(async () => {})
    expect(logged.length).toBe(1)
    await two.run(async () => {})
    expect(logged).toEqual(['will try again: store: nobody answers', 'recovered'])
  })

  test('waits longer from pass to pass, and starts over after a success', async () => {
    const { clock, newRunner } = world()
    const runner = newRunner()
    const waits: number[] = []
    const pass = async () => {
      const start = clock.now()
      await clock.run(runner.run(failing(AWAY)))
      waits.push(clock.now() - start)
    }
    for (let count = 0; count < 6; count++) await pass()
    await runner.run(async () => {})
    await pass()
    expect(waits).toEqual([1000, 2000, 4000, 8000, 8000, 8000, 1000])
  })

  test('never gives up while the database is unavailable', async () => {
    const { clock, newRunner } = world()
    const runner = newRunner()
    for (let pass = 0; pass < 500; pass++) await clock.run(runner.run(failing(AWAY)))
  })

  test('ends with a permanent error that lasted for a minute', async () => {
    const { clock, newRunner } = world()
    const runner = newRunner()
    const start = clock.now()
    const untilItEnds = async () => {
      for (;;) await runner.run(failing(DAMAGED))
    }
    await expect(clock.run(untilItEnds())).rejects.toBe(DAMAGED)
    expect(clock.now() - start).toBeGreaterThanOrEqual(60_000)
    expect(clock.now() - start).toBeLessThan(70_000)
  })

  test('does not end if a pass succeeded in between', async () => {
    const { clock, newRunner } = world()
    const runner = newRunner()
    for (let pass = 0; pass < 100; pass++)
      await clock.run(runner.run(pass % 9 === 8 ? async () => {} : failing(DAMAGED)))
  })

  test('does not wait once the worker must stop', async () => {
    const { clock, stopping, newRunner } = world()
    const runner = newRunner()
    const pass = runner.run(failing(AWAY))
    await clock.advance(10)
    stopping.abort()
    const start = clock.now()
    await clock.run(pass)
    await clock.run(runner.run(failing(AWAY)))
    expect(clock.now()).toBe(start)
  })

  test('does not promise another try of a last action, nor of a pass that fails while the worker stops', async () => {
    const { clock, stopping, logged, newRunner } = world()
    const start = clock.now()
    await newRunner().runLast(failing(DAMAGED))
    stopping.abort()
    await clock.run(newRunner().run(failing(AWAY)))
    await newRunner().runLast(failing(AWAY))
    expect(clock.now()).toBe(start)
    expect(logged).toEqual([
      'failed while stopping: store: the server takes no writes',
      'failed while stopping: store: nobody answers',
    ])
  })
})
