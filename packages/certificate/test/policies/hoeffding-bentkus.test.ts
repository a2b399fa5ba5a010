import { describe, expect, test } from 'vitest'
import { CertificateError } from '../../src/certificate-error.ts'
import { hoeffdingBentkus } from '../../src/policies/hoeffding-bentkus.ts'
import { readReference, relativeError } from '../reference/read-reference.ts'

interface Recorded {
  readonly wrong: number
  readonly count: number
  readonly beta: number
  readonly value: number
}

const recorded: readonly Recorded[] = readReference('policies.json').hoeffdingBentkus

describe('hoeffdingBentkus', () => {
  test("is the published p-value, with SciPy's binomial", () => {
    expect(recorded.length).toBeGreaterThan(20)
    for (const { wrong, count, beta, value } of recorded) {
      expect(relativeError(hoeffdingBentkus(wrong, count, beta), value)).toBeLessThan(1e-10)
    }
  })

  test('by hand: nothing wrong among n has min((1 - beta)^n, e (1 - beta)^n)', () => {
    expect(hoeffdingBentkus(0, 20, 0.1)).toBeCloseTo(0.9 ** 20, 14)
  })

  test('never falls with one more loss, and is 1 when all are lost', () => {
    for (let wrong = 0; wrong < 50; wrong++) {
      expect(hoeffdingBentkus(wrong + 1, 50, 0.2)).toBeGreaterThanOrEqual(hoeffdingBentkus(wrong, 50, 0.2))
    }
    expect(hoeffdingBentkus(50, 50, 0.2)).toBe(1)
  })

  test.each([
    [1, 0, 0.1],
    [-1, 10, 0.1],
    [11, 10, 0.1],
    [0.5, 10, 0.1],
    [1, 10, 0],
    [1, 10, 1],
    [1, 10, Number.NaN],
  ])('refuses %s wrong of %s at beta %s', (wrong, count, beta) => {
    expect(() => hoeffdingBentkus(wrong, count, beta)).toThrow(CertificateError)
  })
})
