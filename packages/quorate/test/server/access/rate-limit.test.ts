import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRateLimit } from '../../../src/server/access/rate-limit.ts'

test('allows the burst at once, then the rate per minute', () => {
  const limit = createRateLimit({ burst: 3, perMinute: 60 })
  expect([0, 0, 0, 0].map((at) => limit.take('a', at))).toEqual([null, null, null, 1])
  expect(limit.take('a', 999)).toBe(1)
  expect(limit.take('a', 1000)).toBeNull()
  expect(limit.take('b', 1000)).toBeNull()
})

test('allows no more requests in any interval than the burst and the rate', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 }),
      fc.integer({ min: 1, max: 600 }),
      fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 200 }),
      (burst, perMinute, gaps) => {
        const limit = createRateLimit({ burst, perMinute })
        const passed: number[] = []
        let now = 0
        for (const gap of gaps) {
          now += gap
          if (limit.take('a', now) === null) passed.push(now)
        }
        for (const [from, start] of passed.entries()) {
          for (const [to, end] of passed.entries()) {
            if (to < from) continue
            expect(to - from + 1).toBeLessThanOrEqual(burst + ((end - start) * perMinute) / 60_000 + 1e-9)
          }
        }
      },
    ),
    { numRuns: 50 },
  )
})

test('does not keep a million keys', () => {
  const limit = createRateLimit({ burst: 1, perMinute: 1 })
  limit.take('first', 0)
  for (let key = 0; key < 20_000; key++) limit.take(String(key), 0)
  // The key was forgotten, so it may proceed again.
  expect(limit.take('first', 0)).toBeNull()
})
