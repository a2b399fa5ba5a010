import { seededRandom } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { modulusOf } from '../../src/reproduce/measure/pilot-modulus.ts'

const random = seededRandom(5)

test('the modulus of an isotonic fit is its largest step within the radius', () => {
  // Right from .6 on and wrong below: the fit steps from 0 to 1 between the two neighbouring states.
  const states = Array.from({ length: 100 }, (_, at) => [at / 100, at / 100])
  const modulus = modulusOf({ states, correct: states.map(([first]) => (first! >= 0.6 ? 1 : 0)) }, 'isotonic')
  expect(modulus(0.2)).toBe(1)
  expect(modulus(0)).toBe(0)
})

test('the modulus of a GAM never falls with the radius and stays within [0, 1]', () => {
  const states = Array.from({ length: 400 }, () => [random(), random()])
  const correct = states.map(([first]) => (random() < 0.2 + 0.7 * first! ? 1 : 0))
  const modulus = modulusOf({ states, correct }, 'gam')
  const values = [0, 0.02, 0.05, 0.1, 0.2, 0.5, 1].map(modulus)
  expect(values).toEqual(values.toSorted((a, b) => a - b))
  expect(values[0]).toBeGreaterThanOrEqual(0)
  expect(values.at(-1)).toBeGreaterThan(0.3)
  expect(values.at(-1)).toBeLessThanOrEqual(1)
})
