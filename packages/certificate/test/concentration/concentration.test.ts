import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CertificateError } from '../../src/certificate-error.ts'
import {
  clopperPearsonInterval,
  clopperPearsonLower,
  clopperPearsonUpper,
} from '../../src/concentration/clopper-pearson.ts'
import { empiricalBernsteinLower } from '../../src/concentration/empirical-bernstein.ts'
import { hoeffdingLower } from '../../src/concentration/hoeffding.ts'
import { betaQuantile } from '../../src/special/beta-quantile.ts'
import { failure } from './poisson-binomial.ts'

const sample = fc
  .oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 100_000 }))
  .chain((count) => fc.tuple(fc.integer({ min: 0, max: count }), fc.constant(count)))
const level = fc.oneof(
  fc.double({ min: 1e-12, max: 0.999, noNaN: true }),
  fc.integer({ min: 1, max: 12 }).map((e) => 10 ** -e),
)

const BOUNDS = {
  hoeffdingLower,
  clopperPearsonLower,
  empiricalBernsteinPaper: (s: number, k: number, p: number) => empiricalBernsteinLower(s, k, p, 'paper'),
  empiricalBernsteinUnbiased: (s: number, k: number, p: number) => empiricalBernsteinLower(s, k, p, 'unbiased'),
}

describe('properties', () => {
  test('Clopper-Pearson is never below Hoeffding', () => {
    fc.assert(
      fc.property(sample, level, ([successes, count], p) => {
        const lower = clopperPearsonLower(successes, count, p)
        expect(lower).toBeGreaterThanOrEqual(hoeffdingLower(successes, count, p) - 1e-15)
      }),
      { numRuns: 3000 },
    )
  })

  test.each(Object.entries(BOUNDS))(
    '%s rises with the level and stays at or below the mean for levels up to 1/4',
    (_, lower) => {
      fc.assert(
        fc.property(sample, level, ([successes, count], p) => {
          fc.pre(count >= 2)
          expect(lower(successes, count, p * 0.99)).toBeLessThanOrEqual(lower(successes, count, p))
          if (p <= 0.25) expect(lower(successes, count, p)).toBeLessThanOrEqual(successes / count)
        }),
      )
    },
  )

  test.each([
    ['hoeffdingLower', hoeffdingLower],
    ['clopperPearsonLower', clopperPearsonLower],
  ] as const)('%s rises with the successes', (_, lower) => {
    fc.assert(
      fc.property(sample, level, ([successes, count], p) => {
        fc.pre(successes < count)
        expect(lower(successes + 1, count, p)).toBeGreaterThan(lower(successes, count, p))
      }),
    )
  })

  test('the upper bound mirrors the lower one', () => {
    fc.assert(
      fc.property(sample, level, ([successes, count], p) => {
        const mirrored = 1 - clopperPearsonLower(count - successes, count, p)
        expect(clopperPearsonUpper(successes, count, p)).toBeCloseTo(mirrored, 13)
      }),
    )
  })

  test('the unbiased variance never gives the higher empirical-Bernstein bound', () => {
    fc.assert(
      fc.property(sample, level, ([successes, count], p) => {
        fc.pre(count >= 2)
        const { empiricalBernsteinPaper, empiricalBernsteinUnbiased } = BOUNDS
        expect(empiricalBernsteinUnbiased(successes, count, p)).toBeLessThanOrEqual(
          empiricalBernsteinPaper(successes, count, p),
        )
      }),
    )
  })
})

/** Mean vectors of many kinds: equal, two-valued, with certain failures and successes, spread. */
const means = fc.integer({ min: 1, max: 60 }).chain((count) =>
  fc.oneof(
    fc.double({ min: 0, max: 1, noNaN: true }).map((mean) => Array<number>(count).fill(mean)),
    fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: count, maxLength: count }),
    fc.array(fc.constantFrom(0, 1, 0.01, 0.5, 0.99), { minLength: count, maxLength: count }),
    fc
      .tuple(
        fc.double({ min: 0, max: 0.2, noNaN: true }),
        fc.array(fc.boolean(), { minLength: count, maxLength: count }),
      )
      .map(([mean, high]) => high.map((isHigh) => (isHigh ? 1 - mean : mean))),
  ),
)
const averageOf = (vector: readonly number[]) => vector.reduce((sum, mean) => sum + mean, 0) / vector.length

describe('Clopper-Pearson under unequal means, by exact probabilities', () => {
  test('fails with at most the level, for levels below 1/4 and averages of at least .29 / k', () => {
    fc.assert(
      fc.property(means, fc.double({ min: 1e-9, max: 0.2499, noNaN: true }), (vector, p) => {
        fc.pre(averageOf(vector) >= 0.29 / vector.length)
        expect(failure(vector, (s, k) => clopperPearsonLower(s, k, p))).toBeLessThanOrEqual(p * (1 + 1e-9))
      }),
      { numRuns: 3000 },
    )
  })

  test('below .29 / k it fails with at most -log(1 - level)', () => {
    fc.assert(
      fc.property(
        means,
        fc.double({ min: 1e-9, max: 0.2499, noNaN: true }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        (vector, p, share) => {
          fc.pre(averageOf(vector) > 0)
          const shrink = Math.min(1, ((0.29 / vector.length) * share) / averageOf(vector))
          const small = vector.map((mean) => mean * shrink)
          expect(failure(small, (s, k) => clopperPearsonLower(s, k, p))).toBeLessThanOrEqual(
            -Math.log1p(-p) * (1 + 1e-9),
          )
        },
      ),
      { numRuns: 1000 },
    )
  })

  test('a bound that is a little too high fails the same test: BetaInv(level; s + 1, k - s + 1)', () => {
    const details = fc.check(
      fc.property(means, fc.double({ min: 1e-9, max: 0.2499, noNaN: true }), (vector, p) => {
        fc.pre(averageOf(vector) >= 0.29 / vector.length)
        return failure(vector, (s, k) => betaQuantile(p, s + 1, k - s + 1)) <= p * (1 + 1e-9)
      }),
      { numRuns: 3000 },
    )
    expect(details.failed).toBe(true)
    expect(details.counterexample).not.toBeNull()
  })
})

describe('edges', () => {
  test('no successes give 0, no failures give level^(1/k)', () => {
    expect(clopperPearsonLower(0, 7, 0.01)).toBe(0)
    expect(clopperPearsonUpper(7, 7, 0.01)).toBe(1)
    expect(clopperPearsonLower(7, 7, 0.01)).toBeCloseTo(0.01 ** (1 / 7), 14)
    expect(clopperPearsonLower(1, 1, 0.05)).toBeCloseTo(0.05, 15)
    expect(clopperPearsonLower(512, 512, 1e-12)).toBeCloseTo(1e-12 ** (1 / 512), 14)
    expect(clopperPearsonUpper(0, 1_000_000, 0.05) / (-Math.log(0.05) / 1e6)).toBeCloseTo(1, 5)
  })

  test('the interval of 9 out of 10 at 95 % is the textbook one', () => {
    const { lower, upper } = clopperPearsonInterval(9, 10, 0.95)
    expect(lower).toBeCloseTo(0.5549839, 7)
    expect(upper).toBeCloseTo(0.9974714, 7)
  })

  test('Hoeffding and empirical Bernstein are not clamped at 0', () => {
    expect(hoeffdingLower(0, 1, 0.01)).toBeLessThan(-1)
    expect(empiricalBernsteinLower(0, 2, 0.01, 'unbiased')).toBeLessThan(-1)
  })

  test('empirical Bernstein refuses a single observation', () => {
    expect(() => empiricalBernsteinLower(1, 1, 0.1, 'paper')).toThrow(/count must be at least 2/)
  })

  test.each([
    [1, 0, 0.1],
    [1, 1.5, 0.1],
    [NaN, 2, 0.1],
    [-1, 2, 0.1],
    [3, 2, 0.1],
    [0.5, 2, 0.1],
    [1, NaN, 0.1],
    [1, 2, 0],
    [1, 2, 1],
    [1, 2, NaN],
  ])('(%d, %d, %d) is refused by every bound', (successes, count, p) => {
    for (const lower of [...Object.values(BOUNDS), clopperPearsonUpper]) {
      expect(() => lower(successes, count, p)).toThrow(CertificateError)
    }
    expect(() => clopperPearsonInterval(successes, count, 1 - p)).toThrow(CertificateError)
  })
})
