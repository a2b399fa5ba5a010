import { seededRandom } from '@quorate/certificate'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { timeOrderedIds } from '../../src/store/time-ordered-id.ts'

const SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('the example of RFC 9562: its time, its version, its variant', () => {
  const [next] = [timeOrderedIds({ now: () => 0x017f22e279b0, random: () => 0 })]
  expect(next()).toBe('017f22e2-79b0-7000-8000-000000000000')
  const last = timeOrderedIds({ now: () => 0x017f22e279b0, random: () => 1 - 2 ** -32 })
  expect(last()).toBe('017f22e2-79b0-77ff-bfff-ffffffffffff')
})

test('each id is greater than the one before, whatever the clock does', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3), { minLength: 1, maxLength: 200 }), fc.nat(), (times, seed) => {
      let at = 0
      const next = timeOrderedIds({ now: () => 1_790_000_000_000 + (times[at++] ?? 0), random: seededRandom(seed) })
      const ids = times.map(() => next())
      expect(ids.toSorted()).toEqual(ids)
      expect(new Set(ids).size).toBe(ids.length)
      for (const id of ids) expect(id).toMatch(SHAPE)
    }),
  )
})

test('10,000 ids of one millisecond are ordered and differ', () => {
  const next = timeOrderedIds({ now: () => 1_790_000_000_000, random: seededRandom(1) })
  const ids = Array.from({ length: 10_000 }, next)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(10_000)
})

test('ids of two processes in the same millisecond differ by their random bits', () => {
  const ids = [1, 2].flatMap((seed) =>
    Array.from({ length: 1000 }, timeOrderedIds({ now: () => 5, random: seededRandom(seed) })),
  )
  expect(new Set(ids).size).toBe(2000)
})
