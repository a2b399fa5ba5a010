import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import type { Debate } from '../../src/beliefs/debate.ts'
import { type CalibrateOptions, calibrate } from '../../src/certificate/calibrate.ts'
import { CertificateError } from '../../src/certificate-error.ts'
import { decide } from '../../src/decision/decide.ts'
import { replay } from '../../src/decision/replay.ts'
import { name } from '../beliefs/arbitrary-debate.ts'
import { replaced } from './replaced.ts'
import { simulatedDebates } from './simulated-debates.ts'

const names = ['__proto__', 'constructor', 'x']
const debates = simulatedDebates({
  count: 14,
  seed: 1,
  rounds: 2,
  agents: names,
  options: names,
  groups: [...names, null],
})
const fresh = simulatedDebates({ count: 2, seed: 2, rounds: 2, agents: names, options: names, groups: names })
const budget = { beta: 0.5, delta: 0.2, epsilon: 0.02 }
const profile = fc.constantFrom('paper', 'tight', 'cells')
const base = { budget, kFamily: [2, 4], split: { pilotFraction: 0.5, seed: 1 }, groupConditional: true }
const every = {
  ...base,
  beliefs: 'given',
  seed: 1,
  weights: { x: 2 },
  state: 'support-path',
  cells: 'auto',
  groupLevel: 'ordinary',
  models: { x: 'm' },
  prompts: 'p',
  envelope: { holder: [1, 0.5] },
  rho: 2,
  looks: 'family',
}

const poison = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withSparseArray: true }),
  fc.constantFrom<unknown>(
    undefined,
    null,
    Number.NaN,
    Infinity,
    -1,
    0,
    0.5,
    1,
    '0.5',
    'learned',
    true,
    1n,
    Symbol('s'),
    () => [1],
  ),
  fc.constantFrom<unknown>(
    [],
    {},
    [[]],
    [null],
    new Array(3),
    { name: 'mine', of: () => [1] },
    { name: 'mine', of: 3 },
  ),
  name,
)
const journey = fc.array(fc.nat(), { minLength: 1, maxLength: 6 })

/** Calibrates, decides and replays, or refuses. Any other error is rethrown and fails the test. */
function calibrateOrRefuse(input: unknown, options: unknown): void {
  try {
    const certificate = calibrate(input as Debate[], options as CalibrateOptions)
    for (const debate of fresh) {
      for (const { lower } of decide(certificate, debate).path) expect(lower).not.toBeNaN()
    }
    replay(certificate, fresh).at(budget)
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error
    expect(error.message.length).toBeLessThan(2000)
  }
}

test('arbitrary JSON as debates and options is calibrated or refused', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), profile, (input, options, chosen) => {
      calibrateOrRefuse(input, options)
      calibrateOrRefuse(input, { ...base, profile: chosen })
      calibrateOrRefuse([input], { ...base, profile: chosen })
      calibrateOrRefuse(debates, options)
    }),
    { numRuns: sized({ short: 200, full: 500 }) },
  )
})

test('valid debates with one value replaced are calibrated or refused', () => {
  fc.assert(
    fc.property(journey, poison, profile, (steps, value, chosen) => {
      calibrateOrRefuse(replaced(debates, steps, value), { ...base, profile: chosen })
    }),
    { numRuns: sized({ short: 350, full: 1000 }) },
  )
})

test('valid options with one value replaced are taken or refused', () => {
  fc.assert(
    fc.property(journey, poison, profile, (steps, value, chosen) => {
      calibrateOrRefuse(debates, replaced({ ...every, profile: chosen }, steps, value))
    }),
    { numRuns: sized({ short: 500, full: 1500 }) },
  )
})

test('a certificate decides or refuses any debate', () => {
  const certificates = (['paper', 'tight', 'cells'] as const).map(
    (chosen) => calibrate(debates, { ...base, profile: chosen } as CalibrateOptions), // `base` is widened
  )
  fc.assert(
    fc.property(journey, poison, (steps, value) => {
      const asked = replaced(fresh[0]!, steps, value)
      for (const certificate of certificates) {
        try {
          expect(['act', 'continue', 'defer']).toContain(decide(certificate, asked as Debate).kind)
        } catch (error) {
          if (!(error instanceof CertificateError)) throw error
        }
      }
    }),
    { numRuns: sized({ short: 350, full: 1000 }) },
  )
})
