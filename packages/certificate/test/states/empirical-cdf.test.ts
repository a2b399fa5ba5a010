import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CdfReading, empiricalCdf, readCdf } from '../../src/states/empirical-cdf.ts'
import { slowCdf } from '../knn/slow-bound.ts'

const READINGS: readonly CdfReading[] = ['step', 'interpolated']
const value = fc.oneof(
  fc.constantFrom(-1, -0, 0, 0.25, 0.5, 1),
  fc.double({ min: -2, max: 2, noNaN: true }),
  fc.double({ min: -1e150, max: 1e150, noNaN: true }),
)
const rows = fc.array(value, { minLength: 1, maxLength: 40 })
const cdfOf = (values: readonly number[]) => empiricalCdf(Float64Array.from(values), 1, 0)

describe.each(READINGS)('read %s', (reading) => {
  test('agrees with the definition, counted row by row, at seen and unseen values', () => {
    fc.assert(
      fc.property(rows, rows, (seen, asked) => {
        const cdf = cdfOf(seen)
        for (const x of [...seen, ...asked]) expect(readCdf(cdf, x, reading)).toBeCloseTo(slowCdf(seen, x, reading), 12)
      }),
      { numRuns: 500 },
    )
  })

  test('never falls, and stays in [0, 1]', () => {
    fc.assert(
      fc.property(rows, rows, (seen, asked) => {
        const cdf = cdfOf(seen)
        const shares = asked.toSorted((a, b) => a - b).map((x) => readCdf(cdf, x, reading))
        expect(shares.every((share, at) => share >= (shares[at - 1] ?? 0) - 1e-15 && share <= 1 + 1e-15)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('is 0 below all rows and 1 from the largest on', () => {
    const cdf = cdfOf([3, 1, 2, 2])
    expect(readCdf(cdf, 0.999, reading)).toBe(0)
    expect(readCdf(cdf, 3, reading)).toBe(1)
    expect(readCdf(cdf, 99, reading)).toBe(1)
  })

  test('both zeros are one value', () => {
    const cdf = cdfOf([-0, 0, 1])
    expect(readCdf(cdf, 0, reading)).toBe(2 / 3)
    expect(readCdf(cdf, -0, reading)).toBe(2 / 3)
  })
})

test('by hand: an unseen value lands on the next lower seen one, or between its neighbours', () => {
  const cdf = cdfOf([1, 2, 2, 4])
  expect([1, 2, 3, 4].map((x) => readCdf(cdf, x, 'step'))).toEqual([0.25, 0.75, 0.75, 1])
  expect([1, 1.5, 2, 3, 3.5].map((x) => readCdf(cdf, x, 'interpolated'))).toEqual([0.25, 0.5, 0.75, 0.875, 0.9375])
})

test('reads one coordinate of rows that have several', () => {
  const points = Float64Array.of(1, 9, 2, 8, 3, 7)
  const shares = (axis: number) => [1, 2, 3, 7, 8, 9].map((x) => readCdf(empiricalCdf(points, 2, axis), x, 'step'))
  expect(shares(0)).toEqual([1 / 3, 2 / 3, 1, 1, 1, 1])
  expect(shares(1)).toEqual([0, 0, 0, 1 / 3, 2 / 3, 1])
})
