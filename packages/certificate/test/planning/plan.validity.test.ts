import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { splitSeeds } from '../../src/evaluation/split-seeds.ts'
import { plan } from '../../src/planning/make-plan.ts'
import { expectedAlpha, expectedLabels, oneCellWorld } from './one-cell-world.ts'
import { betaOf, DELTA, optionsOf } from './plan-options.ts'

/** Compares the forecasts of plans with worlds whose truth is known. */

describe('in a world of one cell, right 95 times of 100', () => {
  const seeds = [1, 2, 3, 4, 5, 6, 7].slice(0, sized({ short: 5, full: 7 }))
  const files = seeds.map((seed) => oneCellWorld(1600, 0.95, seed))
  const plans = files.map((read) => plan(read, optionsOf(betaOf(0.062))))

  test('the smallest reachable beta is what the exact bound of one half leaves', () => {
    const betas = plans.map(({ smallestBeta }) => smallestBeta!.beta)
    expect(Math.abs(median(betas) - betaOf(expectedAlpha(800, 0.95, DELTA)))).toBeLessThan(0.006)
  })

  test('the labels needed for more are within a factor of two of the truth, as a median over files', () => {
    const truth = expectedLabels(0.066, 0.95, DELTA)
    const needed = files.map((read) => {
      const { labels } = plan(read, optionsOf(betaOf(0.066)))
      if (labels.kind === 'enough') return 800
      return labels.kind === 'missing' ? labels.needed : Infinity
    })
    expect(truth).toBeGreaterThan(800)
    expect(median(needed)).toBeGreaterThan(truth / 2)
    expect(median(needed)).toBeLessThan(truth * 2)
  })

  test('a threshold above what the panel is right is called unreachable, with the range of the limit', () => {
    const { labels } = plan(oneCellWorld(9000, 0.95, 1), optionsOf(betaOf(0.03)))
    expect(labels).toMatchObject({ kind: 'unreachable', reason: 'panel' })
    const { value, low, high } = (labels as { limit: { value: number; low: number; high: number } }).limit
    expect(low).toBeLessThan(value)
    expect(high).toBeGreaterThan(value)
    expect(value).toBeGreaterThan(betaOf(0.03))
  })

  test('always acting meets a budget above its error, and only such a one', () => {
    const [read] = files
    const loose = plan(read!, optionsOf(0.2)).finalRound
    expect(loose.error).toBeCloseTo(0.05, 1)
    expect(loose.meetsBudget).toBe(true)
    expect(plan(read!, optionsOf(0.04)).finalRound.meetsBudget).toBe(false)
  })
})

test('the range of labels needed covers the truth in most files, the error of the file included', () => {
  // Resampled splits without that error cover it in half of the files.
  const truth = expectedLabels(0.13, 0.9, DELTA)
  const { files, fewest } = sized({ short: { files: 10, fewest: 3 }, full: { files: 30, fewest: 8 } })
  const outlooks = Array.from({ length: files }, (_, file) => {
    return plan(oneCellWorld(1000, 0.9, 100 + file), optionsOf(betaOf(0.13), { seeds: splitSeeds(10) })).labels
  })
  const ranges = outlooks.filter((labels) => labels.kind === 'missing')
  const covered = ranges.filter(({ low, high }) => low <= truth && truth <= (high ?? Infinity))
  expect(ranges.length).toBeGreaterThanOrEqual(fewest)
  expect(covered.length / ranges.length).toBeGreaterThanOrEqual(0.8)
})

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
