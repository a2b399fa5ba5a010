import { expect, test } from 'vitest'
import { breaker } from '../../src/traffic/breaker.ts'

const LIMITS = { failures: 3, restMs: 100, mostRestMs: 300, probes: 2 }

function opened() {
  const one = breaker(LIMITS)
  for (let failure = 0; failure < 3; failure++) one.failed('server', 0)
  return one
}

test('opens after so many hard failures in a row, not after other failures or with a success between them', () => {
  const one = breaker(LIMITS)
  for (const kind of ['server', 'network', 'rate-limit', 'time-out', 'malformed', 'request', 'server'] as const) {
    one.failed(kind, 0)
  }
  expect(one.state(0)).toBe('closed')
  one.failed('server', 0)
  one.succeeded()
  one.failed('server', 0)
  one.failed('server', 0)
  expect(one.state(0)).toBe('closed')
  one.failed('key', 0)
  expect(one.state(0)).toBe('resting')
})

test('rests, is ready, probes, and closes when the probe succeeds', () => {
  const one = opened()
  expect([one.state(99), one.state(100), one.readyAt()]).toEqual(['resting', 'ready', 100])
  one.probe()
  expect([one.state(100), one.readyAt()]).toEqual(['probing', null])
  one.succeeded()
  expect(one.state(100)).toBe('closed')
})

test('doubles its rest with every failed probe up to the longest, and is down after the last', () => {
  const one = opened()
  for (const [at, readyAt, isDown] of [
    [100, 300, false],
    [300, 600, true],
    [600, 900, true],
  ] as const) {
    one.probe()
    one.failed('network', at)
    expect([one.readyAt(), one.isDown()]).toEqual([readyAt, isDown])
  }
  one.probe()
  one.succeeded()
  expect(one.isDown()).toBe(false)
})

test('failures of calls that were in flight when it opened change nothing', () => {
  const one = opened()
  one.failed('server', 50)
  expect(one.readyAt()).toBe(100)
})

test('an aborted probe leaves it ready, and a rejected probe shows that the model responds', () => {
  const one = opened()
  one.probe()
  one.failed('aborted', 100)
  expect(one.state(100)).toBe('ready')
  one.probe()
  one.failed('rate-limit', 100)
  expect(one.state(100)).toBe('closed')
})
