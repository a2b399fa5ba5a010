import fc from 'fast-check'
import { expect, test } from 'vitest'
import { queuePlan } from '../../src/review/queue-plan.ts'

const every = fc.integer({ min: 2, max: 12 })

test('of every so many hand-outs exactly one is a spot check and one a blind deferral', () => {
  fc.assert(
    fc.property(fc.integer(), every, fc.nat(1e6), (seed, size, block) => {
      const slot = queuePlan(seed, size)
      const slots = Array.from({ length: size }, (_, place) => slot(block * size + place))
      expect(slots.filter((each) => each === 'spot-check').length).toBe(1)
      expect(slots.filter((each) => each === 'blind-deferral').length).toBe(1)
    }),
  )
})

test('places come from the seed alone, differ with it, and neither kind has a side', () => {
  const slots = (seed: number) => Array.from({ length: 4000 }, (_, number) => queuePlan(seed, 4)(number))
  expect(slots(1)).toEqual(slots(1))
  expect(slots(1)).not.toEqual(slots(2))
  const first = slots(1).filter((slot) => slot !== 'deferral')
  const leads = first.filter((slot, at) => at % 2 === 0 && slot === 'spot-check').length
  // 1,000 fair coins: five standard deviations.
  expect(Math.abs(leads - 500)).toBeLessThan(79)
  for (const place of [0, 1, 2, 3]) {
    const count = slots(1).filter((slot, at) => at % 4 === place && slot === 'spot-check').length
    expect(Math.abs(count - 250)).toBeLessThan(69)
  }
})

test('a plan without room for both kinds is refused', () => {
  for (const size of [1, 0, 2.5, Number.NaN]) expect(() => queuePlan(1, size)).toThrow(/at least 2/)
})
