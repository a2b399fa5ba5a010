import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CertificateError } from '../../src/certificate-error.ts'
import { betaQuantile, betaQuantileComplement } from '../../src/special/beta-quantile.ts'
import { incompleteBeta, incompleteBetaComplement } from '../../src/special/incomplete-beta.ts'
import { logGamma } from '../../src/special/log-gamma.ts'
import { normalCdf } from '../../src/special/normal-cdf.ts'
import { normalQuantile } from '../../src/special/normal-quantile.ts'
import { readReference, relativeError } from '../reference/read-reference.ts'

type Rows = readonly (readonly number[])[]

interface Reference {
  readonly logGamma: Rows
  readonly normalCdf: Rows
  readonly normalQuantile: Rows
  readonly betaQuantile: Rows
  readonly incompleteBeta: Rows
}

const reference: Reference = readReference('special.json')

const worst = (rows: Rows, truth: number, value: (row: readonly number[]) => number) =>
  Math.max(...rows.map((row) => relativeError(value(row), row[truth]!)))

describe('against 40 digits', () => {
  test('logGamma is right to 1e-15, beside its zeros too', () => {
    expect(worst(reference.logGamma, 1, ([x]) => logGamma(x!))).toBeLessThan(1e-15)
  })

  test('normalCdf is right to 1e-15, down to 1e-307', () => {
    expect(worst(reference.normalCdf, 1, ([z]) => normalCdf(z!))).toBeLessThan(1e-15)
  })

  test('normalQuantile is right to 1e-15', () => {
    expect(worst(reference.normalQuantile, 1, ([p]) => normalQuantile(p!))).toBeLessThan(1e-15)
  })

  test('betaQuantile is right to 1e-14 for shapes from 1 to 10^6 and levels from 1e-12 to .5', () => {
    expect(reference.betaQuantile.length).toBeGreaterThan(700)
    expect(worst(reference.betaQuantile, 3, ([level, a, b]) => betaQuantile(level!, a!, b!))).toBeLessThan(1e-14)
  })

  test('incompleteBeta is right to 1e-13, and its complement to 1e-11 down to 1e-80', () => {
    expect(worst(reference.incompleteBeta, 3, ([x, a, b]) => incompleteBeta(x!, a!, b!))).toBeLessThan(1e-13)
    const shallow = reference.incompleteBeta.filter((row) => row[4]! > 1e-80)
    expect(worst(shallow, 4, ([x, a, b]) => incompleteBetaComplement(x!, a!, b!))).toBeLessThan(1e-11)
  })
})

const shape = fc.oneof(
  fc.integer({ min: 1, max: 50 }),
  fc.integer({ min: 1, max: 1_000_000 }),
  fc.double({ min: 1, max: 9, noNaN: true }),
)
const level = fc.oneof(
  fc.double({ min: 1e-12, max: 0.5, noNaN: true }),
  fc.integer({ min: 1, max: 12 }).map((e) => 10 ** -e),
)

describe('properties', () => {
  test('incompleteBeta undoes betaQuantile', () => {
    fc.assert(
      fc.property(level, shape, shape, (p, a, b) => {
        const x = betaQuantile(p, a, b)
        // One rounding of x moves I by about its slope: a standard deviation holds 10^16 roundings of x at most.
        const slack = 1e-13 + 1e-15 * (Math.sqrt(a) + Math.sqrt(b)) * Math.sqrt(-Math.log(p)) * 10
        if (x < 0.99) expect(relativeError(incompleteBeta(x, a, b), p)).toBeLessThan(slack)
      }),
      { numRuns: 2000 },
    )
  })

  test('betaQuantile rises with the level and falls with the second shape', () => {
    fc.assert(
      fc.property(level, shape, shape, (p, a, b) => {
        expect(betaQuantile(p * 0.99, a, b)).toBeLessThan(betaQuantile(p, a, b))
        expect(betaQuantile(p, a, b * 1.01)).toBeLessThan(betaQuantile(p, a, b))
      }),
    )
  })

  test('the two ends mirror each other', () => {
    fc.assert(
      fc.property(level, shape, shape, (p, a, b) => {
        expect(betaQuantile(p, a, b) + betaQuantileComplement(p, a, b)).toBeCloseTo(1, 14)
        expect(relativeError(betaQuantileComplement(1 - p, b, a), betaQuantile(1 - (1 - p), a, b))).toBeLessThan(1e-13)
      }),
    )
  })

  test('normalCdf undoes normalQuantile', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-300, max: 0.999, noNaN: true }), (p) => {
        expect(relativeError(normalCdf(normalQuantile(p)), p)).toBeLessThan(1e-12)
      }),
    )
  })
})

describe('edges', () => {
  test('the ends of the unit interval are exact', () => {
    expect(incompleteBeta(0, 3, 4)).toBe(0)
    expect(incompleteBeta(1, 3, 4)).toBe(1)
    expect(incompleteBetaComplement(0, 3, 4)).toBe(1)
    expect(incompleteBetaComplement(1, 3, 4)).toBe(0)
    expect(normalCdf(Infinity)).toBe(1)
    expect(normalCdf(-Infinity)).toBe(0)
  })

  test('a level beyond any use still has its quantile', () => {
    expect(relativeError(betaQuantile(1e-300, 2, 1), 1e-150)).toBeLessThan(1e-12)
    expect(betaQuantile(1 - 1e-16, 900_000, 100_000)).toBeGreaterThan(0.9)
  })

  test.each([
    () => logGamma(0),
    () => logGamma(NaN),
    () => normalQuantile(0),
    () => normalQuantile(NaN),
    () => betaQuantile(0, 2, 2),
    () => betaQuantile(1, 2, 2),
    () => betaQuantile(NaN, 2, 2),
    () => betaQuantile(0.1, 0.5, 2),
    () => betaQuantile(0.1, 2, Infinity),
    () => incompleteBeta(NaN, 1, 1),
    () => incompleteBeta(1.1, 1, 1),
    () => incompleteBeta(0.5, 0, 1),
    () => incompleteBetaComplement(0.5, 1, NaN),
  ])('%s is refused', (call) => {
    expect(call).toThrow(CertificateError)
  })
})
