import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backOffMs } from '../../src/traffic/back-off.ts'

test('a wait is at least what was asked for and at most a doubling ceiling more', () => {
  const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.option(fc.nat(1e9)), share, (failures, retryAfterMs, draw) => {
      const wait = backOffMs(failures, retryAfterMs, { firstMs: 500, mostMs: 60_000, random: () => draw })
      const asked = retryAfterMs ?? 0
      expect(wait).toBeGreaterThanOrEqual(asked)
      expect(wait).toBeLessThanOrEqual(asked + Math.min(60_000, 500 * 2 ** (failures - 1)))
    }),
  )
})

test('the jitter is full: from nothing to the ceiling', () => {
  const plan = { firstMs: 500, mostMs: 60_000 }
  expect(backOffMs(3, null, { ...plan, random: () => 0 })).toBe(0)
  expect(backOffMs(3, null, { ...plan, random: () => 0.5 })).toBe(1000)
})
