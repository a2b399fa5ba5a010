import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { type ModulusReading, modulus, readModulus } from '../../src/envelopes/modulus.ts'
import { slowModulus, squaredDistance } from '../knn/slow-bound.ts'
import { arbitraryPilot } from './arbitrary-pilot.ts'

const READINGS: readonly ModulusReading[] = ['linear', 'upward']

describe.each(READINGS)('read %s', (reading) => {
  test('agrees with the definition over all pairs of rows', () => {
    const radius = fc.oneof(fc.constantFrom(0, 0.2, 0.25, 0.5, 1, 3), fc.double({ min: 0, max: 2.5, noNaN: true }))
    fc.assert(
      fc.property(
        arbitraryPilot,
        fc.array(radius, { minLength: 1, maxLength: 8 }),
        ({ states, rows, rates }, radii) => {
          const table = modulus(states)
          const slow = slowModulus(rows, rates, reading)
          for (const at of radii) expect(readModulus(table, at, reading)).toBeCloseTo(slow(at), 12)
        },
      ),
      { numRuns: sized({ short: 150, full: 400 }) },
    )
  })

  test('never falls as the radius grows', () => {
    fc.assert(
      fc.property(arbitraryPilot, ({ states }) => {
        const table = modulus(states)
        let before = 0
        for (let step = 0; step <= 300; step++) {
          const value = readModulus(table, (step / 100) * (table.radii.at(-1)! || 1), reading)
          expect(value).toBeGreaterThanOrEqual(before - 1e-15)
          before = value
        }
      }),
    )
  })
})

test('read upward it is at least the change over every pair of pilot states: what the envelope claims', () => {
  fc.assert(
    fc.property(arbitraryPilot, ({ states, rows, rates }) => {
      const table = modulus(states)
      const shortfalls = rows.flatMap((row, i) =>
        rows.map((other, j) => {
          const claimed = readModulus(table, Math.sqrt(squaredDistance(row, other)), 'upward')
          return Math.abs(rates[i]! - rates[j]!) - claimed
        }),
      )
      expect(Math.max(...shortfalls)).toBeLessThanOrEqual(0)
    }),
  )
})

test('upward is never below linear', () => {
  fc.assert(
    fc.property(arbitraryPilot, fc.double({ min: 0, max: 3, noNaN: true }), ({ states }, radius) => {
      const table = modulus(states)
      const linear = readModulus(table, radius, 'linear')
      expect(readModulus(table, radius, 'upward')).toBeGreaterThanOrEqual(linear - 1e-15)
    }),
  )
})

test('has 200 radii from 0 to the 99th percentile, and the whole range beyond it when read upward', () => {
  const points = Float64Array.from({ length: 30 }, (_, at) => at * at)
  const pilot = { points, dimension: 1, counts: new Uint32Array(30).fill(1), smoothed: points.map((x) => x / 1000) }
  const { radii, values, range } = modulus(pilot)
  expect(radii).toHaveLength(200)
  expect([radii[0], values[0]]).toEqual([0, 0])
  expect(range).toBe(0.841)
  expect(values[199]).toBeLessThan(range)
  const table = { radii, values, range }
  expect(readModulus(table, 1e9, 'linear')).toBe(values[199])
  expect(readModulus(table, 1e9, 'upward')).toBe(range)
})
