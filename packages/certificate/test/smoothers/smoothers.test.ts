import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CertificateError } from '../../src/certificate-error.ts'
import { fitGam, SPLINE_FUNCTIONS, uniformSpline } from '../../src/smoothers/gam.ts'
import { fitIsotonic } from '../../src/smoothers/isotonic.ts'
import { standardise } from '../../src/smoothers/standardise.ts'
import { readReference } from '../reference/read-reference.ts'
import { distinct } from './distinct.ts'

interface Reference {
  readonly spline: { min: number; max: number; x: number[]; values: number[][] }
  readonly standardise: {
    columns: number
    rows: number[]
    counts: number[]
    means: number[]
    scales: number[]
    standardised: number[]
  }
  readonly isotonic: { x: number[]; successes: number[]; counts: number[]; queries: number[]; predicted: number[] }[]
}

const reference: Reference = readReference('smoothers.json')
const apart = (left: ArrayLike<number>, right: readonly number[]) =>
  Math.max(...right.map((value, i) => Math.abs(value - left[i]!)))

describe('uniformSpline', () => {
  const valuesAt = (min: number, max: number, x: number) => {
    const values = new Float64Array(SPLINE_FUNCTIONS + 2).fill(0)
    const basis = new Float64Array(6)
    const first = uniformSpline(min, max).evaluate(x, basis, 2)
    values.set(basis.subarray(2), first)
    return values
  }

  test('agrees with SplineTransformer to 1e-14, inside and outside', () => {
    const { min, max, x, values } = reference.spline
    for (const [i, place] of x.entries()) expect(apart(valuesAt(min, max, place), values[i]!)).toBeLessThan(1e-14)
  })

  test('its functions sum to 1 and none is negative', () => {
    fc.assert(
      fc.property(fc.double({ min: -3, max: 3, noNaN: true }), (x) => {
        const values = valuesAt(-1, 2, x)
        expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 14)
        expect(Math.min(...values)).toBeGreaterThanOrEqual(-1e-17)
      }),
    )
  })

  test('refuses an empty range and NaN', () => {
    expect(() => uniformSpline(1, 1)).toThrow(CertificateError)
    expect(() => uniformSpline(NaN, 1)).toThrow(CertificateError)
    expect(() => uniformSpline(0, Infinity)).toThrow(CertificateError)
    expect(() => uniformSpline(0, 1).evaluate(NaN, new Float64Array(4), 0)).toThrow(CertificateError)
  })
})

describe('standardise', () => {
  const { columns, rows, counts, means, scales, standardised } = reference.standardise

  test('agrees with StandardScaler, weights and constant columns included', () => {
    const result = standardise(Float64Array.from(rows), columns, counts)
    expect(apart(result.means, means)).toBeLessThan(1e-9)
    expect(apart(result.scales, scales)).toBeLessThan(1e-12)
    expect(apart(result.rows, standardised)).toBeLessThan(1e-9)
  })

  test('refuses NaN, no weight and a length that does not fit', () => {
    expect(() => standardise(Float64Array.of(NaN), 1, [1])).toThrow(CertificateError)
    expect(() => standardise(Float64Array.of(1), 1, [0])).toThrow(CertificateError)
    expect(() => standardise(Float64Array.of(1), 1, [NaN])).toThrow(CertificateError)
    expect(() => standardise(Float64Array.of(1), 2, [1])).toThrow(CertificateError)
  })
})

const labelled = fc.array(
  fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 1 })),
  { minLength: 2, maxLength: 60 },
)

describe('fitIsotonic', () => {
  test('agrees with IsotonicRegression to 1e-14', () => {
    for (const { x, successes, counts, queries, predicted } of reference.isotonic) {
      const smoother = fitIsotonic(Float64Array.from(x), 1, successes, counts)
      expect(
        apart(
          queries.map((query) => smoother.predict([query], 0)),
          predicted,
        ),
      ).toBeLessThan(1e-14)
    }
  })

  test('never falls, and keeps the number of successes', () => {
    fc.assert(
      fc.property(labelled, (rows) => {
        const data = distinct(
          rows.map(([a, b]) => [a / 9, b / 9]),
          rows.map(([, , label]) => label),
        )
        const smoother = fitIsotonic(data.points, 2, data.successes, data.counts)
        const rates = Array.from({ length: 41 }, (_, i) => smoother.predict([-0.5 + i / 20, NaN], 0))
        for (const [i, rate] of rates.entries()) expect(rate).toBeGreaterThanOrEqual((rates[i - 1] ?? 0) - 1e-15)
        const expected = rows.reduce((sum, [a]) => sum + smoother.predict([a / 9], 0), 0)
        expect(expected).toBeCloseTo(
          rows.reduce((sum, [, , label]) => sum + label, 0),
          10,
        )
      }),
    )
  })

  test('one class gives its constant; refuses NaN', () => {
    const smoother = fitIsotonic(Float64Array.of(0, 1), 1, [1, 1], [1, 1])
    expect(smoother.predict([0.3], 0)).toBe(1)
    expect(() => smoother.predict([NaN], 0)).toThrow(CertificateError)
    expect(() => fitIsotonic(Float64Array.of(NaN), 1, [1], [1])).toThrow(CertificateError)
    expect(() => fitIsotonic(Float64Array.of(0, 1), 1, [1], [1])).toThrow(CertificateError)
    expect(() => fitIsotonic(new Float64Array(0), 1, [], [])).toThrow(CertificateError)
  })
})

describe('fitGam', () => {
  const bothClasses = labelled.filter((rows) => new Set(rows.map(([, , label]) => label)).size === 2)
  const fitOn = (rows: readonly (readonly [number, number, number])[]) => {
    const data = distinct(
      rows.map(([a, b]) => [a / 9, b / 9]),
      rows.map(([, , label]) => label),
    )
    return fitGam(data.points, 2, data.successes, data.counts)
  }

  test('gives probabilities, constant outside the range, the same for every order of the rows', () => {
    fc.assert(
      fc.property(bothClasses, (rows) => {
        const [smoother, other] = [fitOn(rows), fitOn(rows.toReversed())]
        for (const [a, b] of rows) {
          const rate = smoother.predict([a / 9, b / 9], 0)
          expect(rate).toBeGreaterThan(0)
          expect(rate).toBeLessThan(1)
          expect(other.predict([NaN, a / 9, b / 9], 1)).toBe(rate)
        }
        expect(smoother.predict([7, -7], 0)).toBe(smoother.predict([1e9, -1e9], 0))
      }),
    )
  })

  test('a constant coordinate contributes nothing', () => {
    const [successes, counts] = [
      [0, 1, 3],
      [2, 2, 3],
    ]
    const flat = fitGam(Float64Array.of(0, 5, 0.5, 5, 1, 5), 2, successes, counts)
    const line = fitGam(Float64Array.of(0, 0.5, 1), 1, successes, counts)
    for (const x of [-1, 0, 0.3, 1]) expect(flat.predict([x, 99], 0)).toBe(line.predict([x], 0))
  })

  test('one state gives the pooled rate', () => {
    expect(fitGam(Float64Array.of(1, 1), 2, [3], [4]).predict([0, 0], 0)).toBeCloseTo(0.75, 14)
  })

  test('one class, NaN and lengths that do not fit are refused', () => {
    expect(() => fitGam(Float64Array.of(0, 1), 1, [1, 1], [1, 1])).toThrow(CertificateError)
    expect(() => fitGam(Float64Array.of(NaN, 1), 1, [0, 1], [1, 1])).toThrow(CertificateError)
    expect(() => fitGam(Float64Array.of(0, 1), 2, [0, 1], [1, 1])).toThrow(CertificateError)
    expect(() => fitGam(Float64Array.of(0, 1), 1, [0, 1], [1, 1]).predict([NaN], 0)).toThrow(CertificateError)
  })
})
