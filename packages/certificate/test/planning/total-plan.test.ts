import { describe, expect, test } from 'vitest'
import type { TotalBudget } from '../../src/budget.ts'
import { plan } from '../../src/planning/make-plan.ts'
import { graduatedWorld } from './graduated-world.ts'

/** One kind of debate: right with chance 1 - 1.2 (1 - c) at a stated confidence c between .5 and 1. */
const read = graduatedWorld(1000, 3)
const planned = (beta: number, total: TotalBudget = {}) =>
  plan(read, { profile: 'total', budget: { beta, delta: 0.05, epsilon: 0, total }, seeds: [7, 11, 13] })

describe('a plan for total', () => {
  const byBeta = planned(0.05, { floor: 0.5 })
  const byFloor = planned(0.3, { floor: 0.9 })

  test('tries the declared floor, not the usual one', () => {
    const act = ({ atBeta }: typeof byBeta) => atBeta!.act.mean
    expect(act(planned(0.1, { floor: 'none' }))).toBeGreaterThan(act(planned(0.1, { floor: 0.9 })) + 0.1)
    const promise = { kind: 'pac', beta: 0.3, delta: 0.05, floor: 0.9, answers: [], isJudged: false, attempt: 1 }
    expect(byFloor.total!.promise).toEqual(promise)
    expect(byFloor.total!.isFloorUsual).toBe(false)
  })

  test('says that beta binds where a larger one acts more and a lower floor does not', () => {
    expect(byBeta.total).toMatchObject({ binds: 'beta', looser: { beta: { beta: 0.075 }, floor: { floor: 0.4 } } })
    const acts = byBeta.total!.byBeta.map(({ act }) => act.mean)
    expect(acts.at(-1)! - acts[0]!).toBeGreaterThan(0.3)
    expect(byBeta.total!.byBeta.map(({ beta }) => beta)).toEqual([0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2])
  })

  test('says that the floor binds where a lower one acts more and a larger beta does not', () => {
    expect(byFloor.total).toMatchObject({ binds: 'floor', looser: { beta: { beta: 0.45 }, floor: { floor: 0.8 } } })
    const floors = byFloor.total!.byFloor.map(({ floor }) => floor)
    expect(floors).toEqual([0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.6, 0.5, null])
    const acts = byFloor.total!.byFloor.map(({ act }) => act.mean)
    expect(acts.at(-1)! - acts[0]!).toBeGreaterThan(0.5)
  })

  test('a floor that is written out and is the usual one follows beta, as one that is left out does', () => {
    const [written, left] = [planned(0.02, { floor: 0.96 }), planned(0.02)]
    expect(written).toEqual(left)
    expect(written.total!.isFloorUsual).toBe(true)
    expect(written.smallestBeta).not.toBeNull()
    expect(planned(0.02, { floor: 0.999 }).smallestBeta).toBeNull()
  })

  test('the declared point of both tables is what is expected at beta', () => {
    for (const { total, atBeta } of [byBeta, byFloor]) {
      const isDeclared = ({ beta, floor }: { beta: number; floor: number | null }) =>
        beta === total!.promise.beta && floor === total!.promise.floor
      for (const points of [total!.byBeta, total!.byFloor]) {
        expect(points.filter(isDeclared).map(({ act }) => act)).toEqual([atBeta!.act])
      }
    }
  })

  test('names the test that fails in each split and the labels that it lacks', () => {
    const { total, feasible, labels } = planned(0.001)
    expect(feasible).toBe(false)
    expect(total!.failed[0]).toMatchObject({ test: 'total', largestKind: null, splits: 3, limit: 0.001 })
    // Without one wrong action 3,505 counted rows pass at level .03, and the next attempt is tested at .0046.
    expect(total!.failed[0]!.labels?.median ?? Infinity).toBeGreaterThan(4000)
    expect(labels.kind).not.toBe('enough')
  })

  test('a further attempt on the same labels never acts more, and more labels never less', () => {
    for (const { total, atBeta } of [byBeta, byFloor]) {
      expect(total!.nextAttempt.attempt).toBe(2)
      expect(total!.nextAttempt.act.mean).toBeLessThanOrEqual(atBeta!.act.mean + 0.005)
      const { added, now, withMore } = total!.moreLabels!
      expect(added).toBe(120)
      expect(withMore).toBeGreaterThanOrEqual(now)
    }
  })

  test('a selective promise has no floor to turn, and other profiles have no dials', () => {
    const { total } = planned(0.1, { kind: 'selective' })
    expect(total).toMatchObject({ byFloor: [], looser: { floor: null } })
    const cells = plan(read, { profile: 'cells', budget: { beta: 0.1, delta: 0.03, epsilon: 0 }, seeds: [7, 11, 13] })
    expect(cells.total).toBeNull()
  })
})
