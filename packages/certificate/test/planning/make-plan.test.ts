import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { betaFor } from '../../src/budget.ts'
import { calibrate } from '../../src/certificate/calibrate.ts'
import { readPanels } from '../../src/certificate/panel.ts'
import { replay } from '../../src/decision/replay.ts'
import { splitSeeds } from '../../src/evaluation/split-seeds.ts'
import { type PlanOptions, plan } from '../../src/planning/make-plan.ts'
import { simulatedDebates } from '../certificate/simulated-debates.ts'
import { dissenterWorld, graduatedWorld } from './graduated-world.ts'
import { expectedAlpha, expectedLabels, oneCellWorld } from './one-cell-world.ts'

const DELTA = 0.03
/** The beta of one round of cells that leaves this alpha. */
const betaOf = (alpha: number) => betaFor(alpha, { delta: DELTA, epsilon: 0 }, { kind: 'every-round', rounds: 1 })
const optionsOf = (beta: number, more: Partial<PlanOptions> = {}): PlanOptions => ({
  profile: 'cells',
  budget: { beta, delta: DELTA, epsilon: 0.02 },
  seeds: [7, 11, 13],
  ...more,
})

describe('in a world of one cell, right 95 times of 100', () => {
  const files = [1, 2, 3, 4, 5, 6, 7].map((seed) => oneCellWorld(1600, 0.95, seed))
  const plans = files.map((panels) => plan(panels, optionsOf(betaOf(0.062))))

  test('the smallest reachable beta is what the exact bound of one half leaves', () => {
    const betas = plans.map(({ smallestBeta }) => smallestBeta!.beta)
    expect(Math.abs(median(betas) - betaOf(expectedAlpha(800, 0.95, DELTA)))).toBeLessThan(0.006)
  })

  test('the labels needed for more are within a factor of two of the truth, as a median over files', () => {
    const truth = expectedLabels(0.066, 0.95, DELTA)
    const needed = files.map((panels) => {
      const { labels } = plan(panels, optionsOf(betaOf(0.066)))
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
    const [panels] = files
    const loose = plan(panels!, optionsOf(0.2)).finalRound
    expect(loose.error).toBeCloseTo(0.05, 1)
    expect(loose.meetsBudget).toBe(true)
    expect(plan(panels!, optionsOf(0.04)).finalRound.meetsBudget).toBe(false)
  })
})

describe('a plan', () => {
  const panels = readPanels(simulatedDebates({ count: 1200, seed: 5 }))

  test('is the same for the same seeds, and reports its progress', () => {
    const reported: string[] = []
    const progress = (done: number, of: number) => reported.push(`${done} of ${of}`)
    const options = optionsOf(0.25)
    expect(plan(panels, options)).toEqual(plan(panels, { ...options, progress }))
    expect(reported.length).toBe(15)
    expect([reported[0], reported.at(-1)]).toEqual(['0 of 15', '14 of 15'])
  })

  test.each(['cells', 'tight', 'paper'] as const)(
    '%s: reaches its beta if and only if the smallest is no larger',
    (profile) => {
      const found = new Set<boolean>()
      for (const beta of sized({ short: [0.023, 0.4], full: [0.023, 0.08, 0.2, 0.4, 0.5] })) {
        const { feasible, smallestBeta, labels, atBeta, actingSplits } = plan(panels, optionsOf(beta, { profile }))
        expect(feasible).toBe((smallestBeta?.beta ?? 1) <= beta)
        expect(feasible).toBe(labels.kind === 'enough')
        expect(feasible).toBe(actingSplits >= 1.5)
        if (feasible) expect(atBeta!.act.max).toBeGreaterThan(0)
        found.add(feasible)
      }
      expect(found.size).toBe(2)
    },
  )

  test('needs fewer labels for a larger beta, by one curve', () => {
    const { milestones } = plan(panels, optionsOf(0.001, { budget: { beta: 0.001, delta: 0.01, epsilon: 0 } }))
    const needed = milestones.map(({ labels }) => (labels.kind === 'missing' ? labels.needed : Infinity))
    expect(milestones.length).toBeGreaterThan(0)
    expect(needed).toEqual(needed.toSorted((a, b) => a - b))
  })

  test('says that nothing is left for alpha, whatever the labels', () => {
    const found = plan(panels, optionsOf(0.02, { profile: 'paper', budget: { beta: 0.02, delta: DELTA, epsilon: 0 } }))
    expect(found.labels).toEqual({ kind: 'unreachable', reason: 'no-alpha', limit: null })
    expect(found.atBeta).toBeNull()
  })

  test.each(['cells', 'tight', 'paper'] as const)('%s: planned again at its smallest beta is feasible', (profile) => {
    const seeds = sized({ short: [4], full: [1, 4, 6] })
    const worlds = [panels, ...seeds.map((seed) => graduatedWorld(1000, seed))]
    for (const world of worlds) {
      const { smallestBeta } = plan(world, optionsOf(0.06, { profile }))
      if (smallestBeta === null) continue
      expect(Number(smallestBeta.beta.toFixed(3))).toBe(smallestBeta.beta)
      const again = plan(world, optionsOf(smallestBeta.beta, { profile }))
      expect(again.feasible).toBe(true)
      expect(again.smallestBeta!.beta).toBeLessThanOrEqual(smallestBeta.beta)
    }
  })

  test('says that neighbourhoods of the paper are too small for beta .10', () => {
    const { labels } = plan(panels, optionsOf(0.1, { profile: 'paper' }))
    expect(labels).toMatchObject({ kind: 'unreachable', reason: 'neighbourhoods' })
  })

  test.each([1, 2, 30])('of %d labels names only the floor', (count) => {
    const few = { ...panels, panels: panels.panels.slice(0, count) }
    const { labels, feasible, smallestBeta, floor } = plan(few, optionsOf(0.1))
    expect({ labels, feasible, smallestBeta }).toEqual({
      labels: { kind: 'too-few-labels' },
      feasible: false,
      smallestBeta: null,
    })
    expect(floor.labels).toBeGreaterThan(count)
  })

  test('halves questions, whose runs stay together', () => {
    const early = new Set(panels.panels.slice(0, 600).map(({ record }) => record.id))
    const { calibration, heldOut } = plan(
      panels,
      optionsOf(0.3, { questionOf: (id) => (early.has(id) ? 'the same' : id) }),
    )
    // 601 questions, one of them with 600 runs: it lies in one half or in the other.
    expect([300, 899]).toContain(calibration)
    expect(heldOut).toBeGreaterThanOrEqual(301)
  })

  test('refuses two seeds, no debates and a word that is no profile', () => {
    expect(() => plan(panels, optionsOf(0.1, { seeds: [1, 2] }))).toThrow('plan: seeds must be at least 3 seeds')
    expect(() => plan({ ...panels, panels: [] }, optionsOf(0.1))).toThrow('plan: panels')
    // @ts-expect-error: what a caller without types may write
    expect(() => plan(panels, optionsOf(0.1, { profile: 'best' }))).toThrow('profile')
  })
})

describe('in a world where it matters who dissents', () => {
  test('cells of 600 labels see it as those of 2,100 do: no number of labels switches features on', () => {
    const budget = { beta: 0.09, delta: DELTA, epsilon: 0 }
    const acts = (count: number) => {
      const certificate = calibrate(dissenterWorld(count, 50), { profile: 'cells', budget })
      return replay(certificate, dissenterWorld(1000, 51))
        .at(budget)
        .actedAt.filter((round) => round > 0).length
    }
    expect(Math.min(acts(600), acts(2100))).toBeGreaterThan(500)
    expect(plan(dissenterWorld(1500, 1), optionsOf(0.09)).scoreChangesAt).toBeNull()
  })

  test('tight switches them on at 2,000 labels, and sizes beyond that have a curve of their own', () => {
    const { curve, scoreChangesAt } = plan(dissenterWorld(6000, 1), optionsOf(0.05, { profile: 'tight' }))
    expect(scoreChangesAt).toBe(2000)
    expect(curve.map(({ labels }) => labels)).toEqual([750, 1500, 2100, 2509, 3000])
  })
})

test('cells count a panel that is always right', () => {
  const { labels, smallestBeta } = plan(oneCellWorld(3000, 1.1, 1), optionsOf(0.2))
  expect(labels.kind).toBe('enough')
  // The score of labels of one class is .98, below which no cut of a smaller beta lies.
  expect(smallestBeta!.beta).toBeLessThan(0.03)
})

test.each(['tight', 'paper'] as const)('%s: a panel that is always right has labels of one kind', (profile) => {
  const { labels, smallestBeta, floor } = plan(oneCellWorld(3000, 1.1, 1), optionsOf(0.2, { profile }))
  expect({ labels, smallestBeta }).toEqual({ labels: { kind: 'one-kind' }, smallestBeta: null })
  expect(floor.labels).toBeLessThan(3000)
})

test('the range of labels needed covers the truth in most files, the error of the file included', () => {
  // Splits drawn again without that error cover it in half of the files.
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
