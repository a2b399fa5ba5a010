import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { fitCertificate } from '../../src/certificate/fit-certificate.ts'
import type { KnnOptions } from '../../src/knn/knn-options.ts'
import { BUDGET, calibrationCase, choices, drawCalibration } from './arbitrary-calibration.ts'
import { slowLooks } from './slow-bound.ts'

const ENVELOPES: readonly KnnOptions['envelope'][] = [
  'none',
  'modulus',
  'mean-modulus',
  'pilot-oscillation',
  { lipschitz: 0.7 },
  { holder: [0.5, 0.4] },
]

describe.each(ENVELOPES)('with envelope %j', (envelope) => {
  test('every part of a bound agrees to 1e-9 with the method written down a second time', () => {
    fc.assert(
      fc.property(calibrationCase, choices, (drawn, chosen) => {
        const calibration = drawCalibration(drawn)
        const options = { ...chosen, envelope }
        const certificate = fitCertificate(calibration, { ...options, budget: BUDGET, split: calibration.split })
        for (const state of calibration.queries.slice(2, 6)) {
          const round = drawn.rounds
          const bound = certificate.bound(round, state)
          const looks = slowLooks(calibration, options, BUDGET.delta, round, state)
          if (looks === null || looks.length === 0) {
            expect(bound).toEqual({ lower: null, reason: 'too-few-labels' })
            continue
          }
          if (bound.lower === null) throw new Error('the fast code found too few labels')
          const expected = looks.find(({ k }) => k === bound.k)!
          const largest = Math.max(...looks.map(({ lower }) => lower))
          expectClose(bound.lower, largest)
          expectClose(bound.lower, expected.lower)
          expectClose(bound.mean, expected.mean)
          expectClose(bound.envelope, expected.envelope)
          expectClose(bound.radius, expected.radius)
          expect(bound.neighbours).toBe(expected.count)
          const smaller = looks.filter(({ k }) => k < bound.k)
          expect(smaller.every(({ count, lower }) => count < expected.count && lower < largest)).toBe(true)
        }
      }),
      { numRuns: sized({ short: 50, full: 120 }), seed: 20261115 },
    )
  })
})

function expectClose(actual: number, expected: number): void {
  if (actual === expected) return
  expect(Math.abs(actual - expected)).toBeLessThan(1e-9)
}
