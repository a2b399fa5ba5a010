import { expect, test } from 'vitest'
import { timeLimit } from '../../src/traffic/create-traffic.ts'
import { createFakeClock } from './fake-clock.ts'

test.each([500, 120_000, 15, 1])('lasts %d ms if the process is not busy', async (milliseconds) => {
  const clock = createFakeClock()
  const start = clock.now()
  await clock.run(timeLimit(milliseconds, clock.sleep, new AbortController().signal))
  expect(clock.now() - start).toBeCloseTo(milliseconds, 6)
})

test('does not count time in which the process was too busy to listen', async () => {
  const clock = createFakeClock()
  const start = clock.now()
  let parts = 0
  const sleep = async (milliseconds: number) => {
    parts += 1
    // The first part ends nine seconds late.
    await clock.sleep(parts === 1 ? 9000 + milliseconds : milliseconds)
  }
  await clock.run(timeLimit(500, sleep, new AbortController().signal))
  expect(clock.now() - start).toBe(9500)
  expect(parts).toBe(10)
})

test('ends at once when it is no longer needed', async () => {
  const clock = createFakeClock()
  const start = clock.now()
  const done = new AbortController()
  const ended = timeLimit(500, clock.sleep, done.signal)
  await clock.advance(120)
  done.abort('done')
  await ended
  expect(clock.now() - start).toBe(120)
})
