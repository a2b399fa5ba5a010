import { expect, test } from 'vitest'
import { leastSquares } from '../../../src/twins/fit/least-squares.ts'

test('finds the zero of residuals that bend', () => {
  const residuals = ([x = 0, y = 0]: readonly number[]) => [40 * (x * x - 0.09), 40 * (y - x - 0.2)]
  const { point, loss } = leastSquares(residuals, [0.9, 0.1], { iterations: 30, difference: 0.001 })
  expect(loss).toBeLessThan(1e-4)
  expect(point[0]).toBeCloseTo(0.3, 3)
  expect(point[1]).toBeCloseTo(0.5, 3)
})

test('stays in the unit cube where the zero lies outside', () => {
  const { point } = leastSquares(([x = 0]) => [30 * (x - 1.5)], [0.2], { iterations: 20, difference: 0.03 })
  expect(point).toEqual([1])
})

test('never returns a point worse than the start, not even beside points without a value', () => {
  const residuals = ([x = 0]: readonly number[]) => [x > 0.5 ? NaN : 10 * (0.8 - x)]
  const { point, loss } = leastSquares(residuals, [0.4], { iterations: 20, difference: 0.03 })
  expect(loss).toBeLessThanOrEqual(16)
  expect(point[0]).toBeLessThanOrEqual(0.5)
})
