import { describe, expect, test } from 'vitest'
import { readPanels } from '../../src/certificate/panel.ts'
import { type PlanOptions, plan } from '../../src/planning/make-plan.ts'
import { simulatedDebates } from '../certificate/simulated-debates.ts'
import { expectedAlpha, expectedLabels, oneCellWorld } from './one-cell-world.ts'

const DELTA = 0.03
const optionsOf = (beta: number, more: Partial<PlanOptions> = {}): PlanOptions => ({
  profile: 'cells',
  budget: { beta, delta: DELTA, epsilon: 0.02 },
  seeds: [7, 11, 13],
  ...more,
})

describe('in a world of one cell, right 95 times of 100', () => {
  const files = [1, 2, 3, 4, 5, 6, 7].map((seed) => oneCellWorld(1600, 0.95, seed))
  const plans = files.map((panels) => plan(panels, optionsOf(DELTA + 0.062)))

  test('the smallest reachable beta is what the exact bound of one half leaves', () => {
    const betas = plans.map(({ smallestBeta }) => smallestBeta!.median)
    expect(Math.abs(median(betas) - (DELTA + expectedAlpha(800, 0.95, DELTA)))).toBeLessThan(0.006)
  })

  test('the labels needed for more are within a factor of two of the truth, as a median over files', () => {
    const truth = expectedLabels(0.062, 0.95, DELTA)
    const needed = plans.flatMap(({ labels }) => {
      if (labels.kind === 'enough') return 800
      return labels.kind === 'missing' ? labels.needed : Infinity
    })
    expect(truth).toBeGreaterThan(1000)
    expect(median(needed)).toBeGreaterThan(truth / 2)
    expect(median(needed)).toBeLessThan(truth * 2)
  })

  test('a line above what the panel is right is called unreachable by labels', () => {
    const outlooks = files.map((panels) => plan(panels, optionsOf(DELTA + 0.03)).labels)
    const unreachable = outlooks.filter((labels) => labels.kind === 'unreachable')
    expect(unreachable.length).toBeGreaterThanOrEqual(5)
    for (const { reason, limit } of unreachable) {
      expect(reason).toBe('panel')
      expect(limit!.value).toBeGreaterThan(DELTA + 0.03)
    }
  })

  test('and one below it is not', () => {
    const outlooks = plans.map(({ labels }) => labels.kind)
    expect(outlooks.filter((kind) => kind === 'unreachable').length).toBeLessThanOrEqual(2)
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

  test('is the same for the same seeds, and tells its progress', () => {
    const told: string[] = []
    const progress = (done: number, of: number) => told.push(`${done} of ${of}`)
    const options = optionsOf(0.25)
    expect(plan(panels, options)).toEqual(plan(panels, { ...options, progress }))
    expect(told.length).toBe(15)
    expect([told[0], told.at(-1)]).toEqual(['0 of 15', '14 of 15'])
  })

  test.each(['cells', 'tight', 'paper'] as const)(
    '%s: reaches its beta if and only if the smallest is no larger',
    (profile) => {
      for (const beta of [0.08, 0.2, 0.35, 0.5]) {
        const { feasible, smallestBeta, labels, atBeta, actingSplits } = plan(panels, optionsOf(beta, { profile }))
        expect(feasible).toBe((smallestBeta?.median ?? 1) <= beta + 1e-9)
        expect(feasible).toBe(labels.kind === 'enough')
        expect(feasible).toBe(actingSplits >= 1.5)
        if (feasible) expect(atBeta!.act.max).toBeGreaterThan(0)
      }
    },
  )

  test('needs fewer labels for a larger beta, by one curve', () => {
    const { milestones } = plan(panels, optionsOf(0.001, { budget: { beta: 0.001, delta: 0.01, epsilon: 0 } }))
    const needed = milestones.map(({ labels }) => (labels.kind === 'missing' ? labels.needed : Infinity))
    expect(milestones.length).toBeGreaterThan(0)
    expect(needed).toEqual(needed.toSorted((a, b) => a - b))
  })

  test('says that nothing is left for alpha, whatever the labels, and which split of beta reaches lower', () => {
    const found = plan(panels, optionsOf(0.02))
    expect(found.labels).toEqual({ kind: 'unreachable', reason: 'no-alpha', limit: null })
    expect(found.atBeta).toBeNull()
    expect(found.otherSplit!.delta).toBe(0.002)
    expect(found.otherSplit!.smallestBeta.median).toBeLessThan(found.smallestBeta!.median)
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

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
