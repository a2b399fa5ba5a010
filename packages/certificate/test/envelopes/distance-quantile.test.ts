import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distanceQuantile } from '../../src/envelopes/distance-quantile.ts'
import { quantile, squaredDistance } from '../knn/slow-bound.ts'
import { arbitraryPilot } from './arbitrary-pilot.ts'

test('is the quantile of the sorted distances of all pairs of rows', () => {
  const share = fc.oneof(fc.constantFrom(0, 0.5, 0.99, 1), fc.double({ min: 0, max: 1, noNaN: true }))
  fc.assert(
    fc.property(arbitraryPilot, share, ({ states, rows }, at) => {
      const distances = rows.flatMap((row, i) =>
        rows.slice(0, i).map((other) => Math.sqrt(squaredDistance(row, other))),
      )
      expect(distanceQuantile(states, at)).toBeCloseTo(quantile(distances, at), 12)
    }),
    { numRuns: 1000 },
  )
})

test('by hand: distances 0, 3 and 3 of two rows on one state and one apart', () => {
  const pilot = { points: Float64Array.of(0, 3), dimension: 1, counts: [2, 1], smoothed: new Float64Array(2) }
  expect(distanceQuantile(pilot, 0)).toBe(0)
  expect(distanceQuantile(pilot, 0.25)).toBe(1.5)
  expect(distanceQuantile(pilot, 0.5)).toBe(3)
  expect(distanceQuantile(pilot, 1)).toBe(3)
})

test('is 0 where there is no pair, and where all rows are on one state', () => {
  const at = (count: number) => ({
    points: Float64Array.of(5),
    dimension: 1,
    counts: [count],
    smoothed: new Float64Array(1),
  })
  expect(distanceQuantile(at(1), 0.99)).toBe(0)
  expect(distanceQuantile(at(7), 0.99)).toBe(0)
})

test('distances of any size are ordered, also those whose squares are hardly numbers', () => {
  for (const unit of [1e-160, 1e-100, 1e100, 1e150]) {
    const points = Float64Array.of(0, unit, 3 * unit, 7 * unit)
    const pilot = { points, dimension: 1, counts: [1, 1, 1, 1], smoothed: new Float64Array(4) }
    // Distances 1, 2, 3, 4, 6, 7 units.
    expect(distanceQuantile(pilot, 0.6) / unit).toBeCloseTo(4, 2)
    expect(distanceQuantile(pilot, 1) / unit).toBeCloseTo(7, 2)
  }
})
