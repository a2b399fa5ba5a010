import { describe, expect, test } from 'vitest'
import { calibrate } from '../../src/certificate/calibrate.ts'
import { type ReadDebates, readDebates } from '../../src/certificate/read-debates.ts'
import { learnThenTestPolicy, loosestSafe } from '../../src/policies/learn-then-test.ts'
import { PROBABILITY_GRID } from '../../src/policies/learned-score.ts'
import { SCORE_GRID } from '../../src/policies/training-risk.ts'
import { binomialTail } from '../../src/total/exact-tests.ts'
import { simulatedDebates } from '../certificate/simulated-debates.ts'
import { readReference, relativeError } from '../reference/read-reference.ts'
import { fitted } from './fitted.ts'
import { budgetOf } from './spoken-debates.ts'

interface Sequence {
  readonly wrong: readonly number[]
  readonly count: number
  readonly beta: number
  readonly delta: number
  readonly last: number | null
}

describe('fixed-sequence testing', () => {
  test('stops where SciPy p-values stop it', () => {
    const recorded: readonly Sequence[] = readReference('policies.json').fixedSequence
    for (const { wrong, count, beta, delta, last } of recorded) {
      const found = loosestSafe({ rows: count, wrong: Uint32Array.from(wrong) }, SCORE_GRID, { beta, delta })
      expect(found).toBe(last === null ? null : SCORE_GRID[last]!)
    }
    expect(recorded.some(({ last }) => last === null)).toBe(true)
    expect(recorded.some(({ last }) => last !== null)).toBe(true)
  })

  test('the exact tail is that of SciPy', () => {
    const recorded: readonly { wrong: number; count: number; beta: number; value: number }[] =
      readReference('policies.json').exactTail
    for (const { wrong, count, beta, value } of recorded) {
      expect(relativeError(binomialTail(wrong, count, beta), value)).toBeLessThan(1e-9)
    }
  })

  test('a threshold beyond the first that fails is not reached, however safe it looks', () => {
    const wrong = new Uint32Array(PROBABILITY_GRID.length)
    wrong[150] = 400
    expect(loosestSafe({ rows: 1000, wrong }, PROBABILITY_GRID, { beta: 0.1, delta: 0.05 })).toBe(PROBABILITY_GRID[151])
  })

  test('with no rows nothing is safe', () => {
    const wrong = new Uint32Array(PROBABILITY_GRID.length)
    expect(loosestSafe({ rows: 0, wrong }, PROBABILITY_GRID, { beta: 0.1, delta: 0.05 })).toBeNull()
  })
})

describe.each([{ count: 2200 }, { count: 500 }])('the policy on $count debates', ({ count }) => {
  const train = readDebates(simulatedDebates({ count, seed: 11 }))
  const stored = readDebates(simulatedDebates({ count: 150, seed: 12 }))
  const budget = budgetOf(0.25)
  const certificate = calibrate(train, { profile: 'total', budget, split: { seed: 7 } })

  const scoresOf = ({ debates }: Pick<ReadDebates, 'debates'>) =>
    debates.map((debate) => certificate.scoresOf(debate, 3)!)
  /** First round whose score reaches the threshold. */
  const stops = (scores: readonly Float64Array[], threshold: number) =>
    scores.map((path) => path.findIndex((score) => score >= threshold) + 1)

  test.each([0.1, 0.15, 0.2, 0.25])('tests the score of total on rows that did not teach it, at beta %f', (beta) => {
    const counted = certificate.split.neighbours.map((row) => train.debates[row]!)
    const scores = scoresOf({ debates: counted })
    let expected: number | null = null
    for (const threshold of PROBABILITY_GRID.toReversed()) {
      const wrong = stops(scores, threshold).filter(
        (round, row) => round > 0 && counted[row]!.rounds[round - 1]!.prediction !== counted[row]!.record.gold,
      ).length
      if (binomialTail(wrong, counted.length, beta) > 0.03) break
      expected = threshold
    }
    const tuned = fitted(learnThenTestPolicy, train).at(budgetOf(beta))
    expect(tuned).toMatchObject({ delta: 0.03, epsilon: null, threshold: expected })
  })

  test('acts where that score passes', () => {
    const { actedAt, threshold } = fitted(learnThenTestPolicy, train).replay(stored).at(budget)
    expect(threshold).not.toBeNull()
    expect([...actedAt]).toEqual(stops(scoresOf(stored), threshold!))
  })
})

test('it is as sure as the total of the certificate beside it', () => {
  const train = readDebates(simulatedDebates({ count: 300, seed: 13 }))
  const found = fitted(learnThenTestPolicy, train)
  expect(found.at({ ...budgetOf(0.2, 0.4), total: { delta: 0.1 } }).delta).toBeCloseTo(0.06, 12)
  expect(found.at({ ...budgetOf(0.2), total: { kind: 'selective' } }).delta).toBeCloseTo(0.03, 12)
})

test('a budget larger than the error is not cut off where the learned probability falls below .5', () => {
  const train = readDebates(simulatedDebates({ count: 1500, seed: 31 }))
  const wrong = train.debates.filter(({ rounds, record }) => rounds[0]!.prediction !== record.gold).length / 1500
  const { actedAt, threshold } = fitted(learnThenTestPolicy, train)
    .replay(train)
    .at(budgetOf(wrong + 0.1))
  expect(threshold).toBe(0)
  expect(actedAt.every((round) => round === 1)).toBe(true)
})

test('panels that vary are scored by the spread of their beliefs, as total does', () => {
  const debates = [
    ...simulatedDebates({ count: 1500, seed: 21 }),
    ...simulatedDebates({ count: 1000, seed: 22, agents: ['x', 'y'] }),
  ]
  const train = readDebates(debates)
  const certificate = calibrate(train, { profile: 'total', budget: budgetOf(0.3), split: { seed: 7 } })
  const { actedAt, threshold } = fitted(learnThenTestPolicy, train).replay(train).at(budgetOf(0.3))
  const scores = train.debates.map((debate) => [...certificate.scoresOf(debate, 3)!])
  expect([...actedAt]).toEqual(scores.map((path) => path.findIndex((score) => score >= threshold!) + 1))
})
