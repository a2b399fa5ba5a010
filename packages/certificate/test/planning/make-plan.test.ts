import { describe, expect, test } from 'vitest'
import { isFullLane, sized } from '../../../../tools/lane.ts'
import { calibrate } from '../../src/certificate/calibrate.ts'
import { readDebates } from '../../src/certificate/read-debates.ts'
import { replay } from '../../src/decision/replay.ts'
import { plan } from '../../src/planning/make-plan.ts'
import { simulatedDebates } from '../certificate/simulated-debates.ts'
import { dissenterWorld, graduatedWorld } from './graduated-world.ts'
import { oneCellWorld } from './one-cell-world.ts'
import { DELTA, optionsOf } from './plan-options.ts'

describe('a plan', () => {
  const read = readDebates(simulatedDebates({ count: 1200, seed: 5 }))

  test('is the same for the same seeds, and reports its progress', () => {
    const reported: string[] = []
    const progress = (done: number, of: number) => reported.push(`${done} of ${of}`)
    const options = optionsOf(0.25)
    const some = { ...read, debates: read.debates.slice(0, sized({ short: 600, full: 1200 })) }
    expect(plan(some, options)).toEqual(plan(some, { ...options, progress }))
    expect(reported.length).toBe(15)
    expect([reported[0], reported.at(-1)]).toEqual(['0 of 15', '14 of 15'])
  })

  test.each(['cells', 'tight', 'paper'] as const)(
    '%s: reaches its beta if and only if the smallest is no larger',
    (profile) => {
      const found = new Set<boolean>()
      for (const beta of sized({ short: [0.023, 0.4], full: [0.023, 0.08, 0.2, 0.4, 0.5] })) {
        const { feasible, smallestBeta, labels, atBeta, actingSplits } = plan(read, optionsOf(beta, { profile }))
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
    const { milestones } = plan(read, optionsOf(0.001, { budget: { beta: 0.001, delta: 0.01, epsilon: 0 } }))
    const needed = milestones.map(({ labels }) => (labels.kind === 'missing' ? labels.needed : Infinity))
    expect(milestones.length).toBeGreaterThan(0)
    expect(needed).toEqual(needed.toSorted((a, b) => a - b))
  })

  test('says that nothing is left for alpha, whatever the labels', () => {
    const found = plan(read, optionsOf(0.02, { profile: 'paper', budget: { beta: 0.02, delta: DELTA, epsilon: 0 } }))
    expect(found.labels).toEqual({ kind: 'unreachable', reason: 'no-alpha', limit: null })
    expect(found.atBeta).toBeNull()
  })

  test.each(['cells', 'tight', 'paper'] as const)('%s: planned again at its smallest beta is feasible', (profile) => {
    const worlds = sized({ short: [4], full: [1, 4, 6] }).map((seed) => graduatedWorld(1000, seed))
    if (isFullLane) worlds.push(read)
    let planned = 0
    for (const world of worlds) {
      const { smallestBeta } = plan(world, optionsOf(0.06, { profile }))
      if (smallestBeta === null) continue
      planned += 1
      expect(Number(smallestBeta.beta.toFixed(3))).toBe(smallestBeta.beta)
      const again = plan(world, optionsOf(smallestBeta.beta, { profile }))
      expect(again.feasible).toBe(true)
      expect(again.smallestBeta!.beta).toBeLessThanOrEqual(smallestBeta.beta)
    }
    expect(planned).toBeGreaterThan(0)
  })

  test('says that neighbourhoods of the paper are too small for beta .10', () => {
    const { labels } = plan(read, optionsOf(0.1, { profile: 'paper' }))
    expect(labels).toMatchObject({ kind: 'unreachable', reason: 'neighbourhoods' })
  })

  test.each([1, 2, 30])('of %d labels names only the floor', (count) => {
    const few = { ...read, debates: read.debates.slice(0, count) }
    const { labels, feasible, smallestBeta, floor } = plan(few, optionsOf(0.1))
    expect({ labels, feasible, smallestBeta }).toEqual({
      labels: { kind: 'too-few-labels' },
      feasible: false,
      smallestBeta: null,
    })
    expect(floor.labels).toBeGreaterThan(count)
  })

  test('halves questions, whose runs stay together', () => {
    const early = new Set(read.debates.slice(0, 600).map(({ record }) => record.id))
    const { calibration, heldOut } = plan(
      read,
      optionsOf(0.3, { questionOf: (id) => (early.has(id) ? 'the same' : id) }),
    )
    // 601 questions, one of which has 600 runs: it is in one half or in the other.
    expect([300, 899]).toContain(calibration)
    expect(heldOut).toBeGreaterThanOrEqual(301)
  })

  test('refuses two seeds, no debates and a word that is no profile', () => {
    expect(() => plan(read, optionsOf(0.1, { seeds: [1, 2] }))).toThrow('plan: seeds must be at least 3 seeds')
    expect(() => plan({ ...read, debates: [] }, optionsOf(0.1))).toThrow('plan: debates')
    // @ts-expect-error: what a caller without types may write
    expect(() => plan(read, optionsOf(0.1, { profile: 'best' }))).toThrow('profile')
  })
})

describe('in a world where it matters which agent dissents', () => {
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
