import { expect, test } from 'vitest'
import { axisEnd } from '../../../src/pages/overview/axis-end.ts'

test('the axis ends at twice beta unless a rate needs more room', () => {
  expect(axisEnd(0.1, 0)).toBe(0.2)
  expect(axisEnd(0.1, 0.16)).toBe(0.2)
  expect(axisEnd(0.0125, 0.01)).toBe(0.025)
})

test.each([
  [0.1, 0.3271, 0.4],
  [0.1, 0.25, 0.3],
  [0.01, 0.05, 0.06],
  [0.001, 0.003, 0.004],
  [0.1, 0.79, 1],
  [0.1, 1, 1],
])('with beta %d and a rate of %d the axis ends at %d, which has one digit', (beta, largest, expected) => {
  expect(axisEnd(beta, largest)).toBe(expected)
})
