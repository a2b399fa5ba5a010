import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { type CertificateOptions, fitCertificate } from '../../src/certificate/fit-certificate.ts'
import { CertificateError } from '../../src/certificate-error.ts'
import type { CalibrationInput } from '../../src/knn/calibration-rows.ts'
import { replaced } from '../certificate/replaced.ts'
import { BUDGET, choices } from './arbitrary-calibration.ts'

const small = {
  rounds: [
    {
      states: [
        [0.1, 1],
        [0.2, 0],
        [0.2, 0],
        [0.9, 1],
        [0.4, 0.5],
        [0.1, 1],
      ],
      correct: [0, 1, 0, 1, 1, 0],
    },
    { states: [[3], [3], [2], [1], [2], [3]], correct: [1, 1, 0, 1, 0, 0] },
  ],
  groups: ['a', '__proto__', 'a', '', 'constructor', '__proto__'],
}
const options = { profile: 'tight', budget: BUDGET, kFamily: [1, 2, 5], split: { pilotFraction: 0.5, seed: 1 } }

/** Any value that a program without types may pass. */
const poison = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withTypedArray: true, withSparseArray: true }),
  fc.constantFrom(undefined, Number.NaN, Infinity, -Infinity, -0, 1e308, -1e308, 5e-324, 1n, Symbol('s'), () => 1),
  fc.constantFrom('__proto__', 'constructor', 0, 1, 0.5, '0.5', [], {}, [[]], [null], new Array(5), { length: 1e9 }),
  fc.double(),
)
const journey = fc.array(fc.nat(), { minLength: 1, maxLength: 5 })

/** Fits and queries, or refuses. Any other error is rethrown and fails the test. */
function fitOrRefuse(input: unknown, chosen: unknown): void {
  try {
    const certificate = fitCertificate(input as CalibrationInput, chosen as CertificateOptions)
    for (let round = 1; round <= certificate.rounds; round++) {
      const { states } = (input as typeof small).rounds[round - 1]!
      const rows = Array.isArray(states) ? states : []
      for (const state of [...rows, rows[0]?.map(() => 0.3) ?? [0.3]]) {
        for (const group of [undefined, 'a', '__proto__', 'nobody']) expectSound(certificate.bound(round, state, group))
      }
    }
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error
    expect(error.message.length).toBeLessThan(2000)
  }
}

function expectSound(bound: object): void {
  expect(Object.values(bound).some(Number.isNaN)).toBe(false)
}

test('arbitrary JSON as calibration rows and options is fitted or refused', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (input, chosen) => {
      fitOrRefuse(input, chosen)
      fitOrRefuse(input, options)
      fitOrRefuse(small, chosen)
    }),
    { numRuns: sized({ short: 350, full: 1000 }) },
  )
})

test('a valid calibration with one value replaced is fitted or refused', () => {
  fc.assert(
    fc.property(journey, poison, choices, (steps, value, chosen) => {
      fitOrRefuse(replaced(small, steps, value), { ...options, ...chosen })
    }),
    { numRuns: sized({ short: 1000, full: 3000 }) },
  )
})

test('valid options with one value replaced are taken or refused', () => {
  fc.assert(
    fc.property(journey, poison, choices, (steps, value, chosen) => {
      fitOrRefuse(small, replaced({ ...options, ...chosen, groupLevel: 'ordinary' }, steps, value))
    }),
    { numRuns: sized({ short: 1000, full: 3000 }) },
  )
})

test('states of every finite size are fitted or refused', () => {
  const coordinate = fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(1e308, -1e308, 1e200, 5e-324, -5e-324, 0))
  const rows = fc.array(fc.tuple(fc.tuple(coordinate, coordinate), fc.constantFrom(0, 1)), {
    minLength: 2,
    maxLength: 9,
  })
  fc.assert(
    fc.property(rows, choices, (drawn, chosen) => {
      const round = { states: drawn.map(([state]) => [...state]), correct: drawn.map(([, label]) => label) }
      fitOrRefuse({ rounds: [round] }, { ...options, ...chosen })
    }),
    { numRuns: sized({ short: 350, full: 1000 }) },
  )
})
