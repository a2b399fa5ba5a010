import { afterEach, expect, test, vi } from 'vitest'
import { timerSleep } from '../../src/traffic/timer-sleep.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('sleeps as long as asked, also beyond the longest timer of Node', async () => {
  vi.useFakeTimers()
  const long = 2 ** 31 + 5000
  let isAwake = false
  const sleep = timerSleep(long).then(() => {
    isAwake = true
  })
  await vi.advanceTimersByTimeAsync(long - 1)
  expect(isAwake).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await sleep
  expect(isAwake).toBe(true)
})

test('wakes at once when its signal aborts, and leaves no timer behind', async () => {
  vi.useFakeTimers()
  const stop = new AbortController()
  const sleep = timerSleep(1e9, stop.signal)
  stop.abort()
  await sleep
  expect(vi.getTimerCount()).toBe(0)
  await timerSleep(1e9, stop.signal)
})
