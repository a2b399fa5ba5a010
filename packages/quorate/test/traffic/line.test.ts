import { expect, test } from 'vitest'
import { breaker } from '../../src/traffic/breaker.ts'
import { createLane } from '../../src/traffic/lane.ts'
import { DEFAULT_LIMITS } from '../../src/traffic/limits.ts'
import { type Line, movable } from '../../src/traffic/line.ts'

test('asks the breakers only of lines in which somebody waits, since asking may take the one probe', () => {
  const asked: string[] = []
  const lineOf = (name: string, pending: number): Line => {
    const own = breaker(DEFAULT_LIMITS.breaker)
    const state = (now: number) => {
      asked.push(name)
      return own.state(now)
    }
    const lane = createLane({}, 4)
    return { lane, breaker: { ...own, state }, arriving: [], announced: [], pending, lastError: null }
  }
  expect(movable([lineOf('busy', 3), lineOf('idle', 0), lineOf('other', 2)], 0)).toBe(5)
  expect(asked).toEqual(['busy', 'other'])
})
