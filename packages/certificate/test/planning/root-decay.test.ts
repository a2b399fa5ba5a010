import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DecayPoint, fitRootDecay, labelsFor, type RootDecay, valueAt } from '../../src/planning/root-decay.ts'

const SIZES = [100, 140, 200, 280, 400]
const arbitraryPoints = fc
  .array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: SIZES.length, maxLength: SIZES.length })
  .map((values) => values.map((value, at): DecayPoint => ({ labels: SIZES[at]!, value })))

describe('limit + scale / sqrt(labels)', () => {
  test('is found exactly where it is the truth', () => {
    const truth = { limit: 0.04, scale: 1.5 }
    const fit = fitRootDecay(SIZES.map((labels) => ({ labels, value: valueAt(truth, labels) })))
    expect(fit.limit).toBeCloseTo(0.04, 10)
    expect(fit.scale).toBeCloseTo(1.5, 10)
    expect(labelsFor(fit, 0.04 + 1.5 / 30)).toBeCloseTo(900, 4)
  })

  test('is the best of all non-negative pairs, by brute force', () => {
    fc.assert(
      fc.property(arbitraryPoints, (points) => {
        const found = fitRootDecay(points)
        expect(found.limit).toBeGreaterThanOrEqual(0)
        expect(found.scale).toBeGreaterThanOrEqual(0)
        const best = loss(points, found)
        for (let limit = 0; limit <= 1; limit += 0.02) {
          for (let scale = 0; scale <= 20; scale += 0.5) {
            expect(best).toBeLessThanOrEqual(loss(points, { limit, scale }) + 1e-9)
          }
        }
      }),
      { numRuns: 30 },
    )
  })

  test('never reaches what lies at or below its limit', () => {
    expect(labelsFor({ limit: 0.1, scale: 2 }, 0.1)).toBe(Infinity)
    expect(labelsFor({ limit: 0.1, scale: 0 }, 0.05)).toBe(Infinity)
    expect(labelsFor({ limit: 0.1, scale: 0 }, 0.1)).toBe(0)
  })
})

function loss(points: readonly DecayPoint[], fit: RootDecay): number {
  return points.reduce((sum, { labels, value }) => sum + labels * (value - valueAt(fit, labels)) ** 2, 0)
}
