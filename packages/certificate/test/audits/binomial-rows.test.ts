import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allowedCount, boundedRow, lowerTail, promisedRow } from '../../src/audits/binomial-rows.ts'
import { seededRandom } from '../../src/random.ts'
import { poissonBinomial } from '../concentration/poisson-binomial.ts'
import { readReference, relativeError } from '../reference/read-reference.ts'

const reference = readReference('audits.json')

test('the tail is that of SciPy wherever it is given', () => {
  for (const { right, n, line, p } of reference.tails) {
    expect(relativeError(lowerTail(right, n, line), p)).toBeLessThan(1e-10)
  }
})

test('the count that may be bad is the quantile of SciPy', () => {
  for (const { trials, chance, count } of reference.allowed) expect(allowedCount(trials, chance)).toBe(count)
})

/** P(p-value <= x) over the exact distribution of the count, at every x that the p-value takes. */
function worstExcess(chances: readonly number[], line: number): number {
  const mass = poissonBinomial(chances)
  let reached = 0
  let worst = -Infinity
  for (let right = 0; right <= chances.length; right++) {
    reached += mass[right]!
    worst = Math.max(worst, reached - lowerTail(right, chances.length, line))
  }
  return worst
}

const chances = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 60 })
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

describe('under the null', () => {
  test('the p-value is super-uniform for chances that differ, exactly', () => {
    fc.assert(
      fc.property(chances, fc.double({ min: 0, max: 1, noNaN: true }), (values, share) => {
        expect(worstExcess(values, mean(values) * share)).toBeLessThan(1e-9)
      }),
      { seed: 5, numRuns: 600 },
    )
  })

  test('a threshold above the mean chance would not be', () => {
    expect(worstExcess(new Array(100).fill(0.7), 0.75)).toBeGreaterThan(0.3)
  })

  test('an action region whose bad debates fill the allowance is falsified no more often than its level', () => {
    // P(region) = .3; .01 of all debates are in it, bad and always wrong; the others are right as promised.
    expect(rejections({ failure: 0.01, bad: 0.01 })).toBeLessThan(0.05)
    // Companion: with eight times as many bad debates as allowed it is.
    expect(rejections({ failure: 0.01, bad: 0.08 })).toBeGreaterThan(0.5)
  })
})

function rejections({ failure, bad }: { failure: number; bad: number }): number {
  const random = seededRandom(11)
  const [among, share, promise, runs] = [600, 0.3, 0.8, 800]
  let falsified = 0
  for (let run = 0; run < runs; run++) {
    let n = 0
    let right = 0
    for (let row = 0; row < among; row++) {
      const place = random()
      if (place >= share) continue
      n++
      if (place >= bad && random() < promise) right++
    }
    if (promisedRow({ name: 'region', n, right }, promise, { failure, among }).pValue! <= 0.05) falsified++
  }
  return falsified / runs
}

describe('a row', () => {
  test('reports the observed rate with its interval, and the threshold', () => {
    const row = promisedRow({ name: 'round 2', n: 100, right: 70 }, 0.9, { failure: 0.01, among: 500 })
    expect(row).toMatchObject({ name: 'round 2', n: 100, figure: 0.7 })
    expect(row.low).toBeCloseTo(0.60019, 4)
    expect(row.line).toBeLessThan(0.9 - 0.01 / 0.2)
    expect(row.line).toBeGreaterThan(0.9 - 0.01 / 0.12)
    expect(row.pValue).toBeLessThan(0.005)
  })

  test('of nothing has no figures', () => {
    const row = boundedRow({ name: 'round 1', n: 0, right: 0 }, 0.9, { failure: 0.01, among: 500 })
    expect(row).toMatchObject({ n: 0, figure: null, low: null, high: null, line: null, pValue: null, reach: 1 })
  })

  test('whose allowance eats all that was promised can reach nothing', () => {
    const row = promisedRow({ name: 'round 3', n: 3, right: 0 }, 0.9, { failure: 0.03, among: 1000 })
    expect(row).toMatchObject({ line: 0, pValue: 1, reach: 1, clearPValue: 1 })
  })

  test('loses the allowed count of debates from its mean bound', () => {
    const { line } = boundedRow({ name: 'bin', n: 200, right: 100 }, 0.8, { failure: 0.01, among: 1000 })
    expect(line).toBeCloseTo(0.8 - allowedCount(1000, 0.01) / 200, 12)
  })
})
