import { describe, expect, test } from 'vitest'
import { estimate, fitCurve, interval } from '../../src/planning/curve-fits.ts'
import type { CurveSize } from '../../src/planning/learning-curve.ts'
import { labelsFor } from '../../src/planning/root-decay.ts'

const SIZES = [200, 280, 400, 560, 800]

describe('the range of a curve', () => {
  test('is wider than resampled splits alone: a file errs as much as one of its halves differs', () => {
    const moved = [-0.01, -0.005, 0, 0.005, 0.01]
    const fits = fitCurve(
      curveOf((labels, split) => 0.05 + 1 / Math.sqrt(labels) + moved[split]!),
      7,
    )!
    const { value, low, high } = interval(fits, ({ limit }) => limit)
    expect(value).toBeCloseTo(0.05, 3)
    // Deviation .0079 of one half and 1.53, the 90 % point of Student's t with 4 degrees of freedom.
    expect(high - value).toBeGreaterThan(0.011)
    expect(value - low).toBeGreaterThan(0.011)
    expect(high - low).toBeLessThan(0.05)
  })

  test('has no upper end where more than a tenth of the draws have no curve', () => {
    const fits = fitCurve(
      curveOf((labels, split) => (split < 2 ? null : 0.05 + 1 / Math.sqrt(labels))),
      7,
    )!
    expect(fits.refits.some((refit) => refit === null)).toBe(true)
    expect(interval(fits, (fit) => labelsFor(fit, 0.08)).high).toBe(Infinity)
    expect(estimate(fits, ({ limit }) => limit).high).toBeNull()
  })

  test('is absent where fewer than three sizes have the score of the last', () => {
    const early = curveOf((labels) => 0.3 - labels / 1e6, [800, 1200, 1600, 2400, 3200])
    const changed = early.map((size) => ({
      ...size,
      trials: size.trials.map((trial) => ({ ...trial, hasFullScore: size.labels >= 2000 })),
    }))
    expect(fitCurve(early, 7)).not.toBeNull()
    expect(fitCurve(changed, 7)).toBeNull()
  })
})

/** Five splits with the given reach each. */
function curveOf(alpha: (labels: number, split: number) => number | null, sizes = SIZES): CurveSize[] {
  return sizes.map((labels) => {
    const alone = [0, 1, 2, 3, 4].map((split) => alpha(labels, split))
    const sorted = alone.map((own) => own ?? Infinity).sort((a, b) => a - b)
    const trials = alone.map(() => ({
      labels,
      counted: labels,
      hasFullScore: false,
      isOneKind: false,
      tally: null,
      failedAt: () => null,
      tallyAt: (): never => {
        throw new Error('a curve asks for no other budget')
      },
      acts: () => false,
    }))
    return { labels, trials, reach: { beta: sorted[2]!, alone, alpha: sorted[2]!, aloneAlpha: alone } }
  })
}
