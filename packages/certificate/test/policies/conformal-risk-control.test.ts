import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { calibrate } from '../../src/certificate/calibrate.ts'
import { readDebates } from '../../src/certificate/read-debates.ts'
import {
  conformalRiskControlPolicy,
  conformalRiskLearnedPolicy,
  loosestThreshold,
  monotoneLosses,
} from '../../src/policies/conformal-risk-control.ts'
import { PROBABILITY_GRID } from '../../src/policies/learned-score.ts'
import { SCORE_GRID, trainingRisk } from '../../src/policies/training-risk.ts'
import { simulatedDebates } from '../certificate/simulated-debates.ts'
import { readReference } from '../reference/read-reference.ts'
import { fitted } from './fitted.ts'
import { budgetOf, spokenDebate, tenDebates } from './spoken-debates.ts'

// Losses of the ten debates: above .9 none, (.8, .9] 1, (.6, .8] 2, (.55, .6] 3, up to .55 4. With n = 10 and B = 1 the
// corrected risk n/(n+1) R + B/(n+1) is (losses + 1) / 11: .0909, .1818, .2727, .3636, .4545. The smallest points of
// the grid (199 + i) / 398 above .9, .8, .6 and .55 are 359, 319, 239 and 219 / 398.
test.each([
  { beta: 0.09, threshold: null },
  { beta: 0.091, threshold: 359 / 398 },
  { beta: 0.2, threshold: 319 / 398 },
  { beta: 0.28, threshold: 239 / 398 },
  { beta: 0.37, threshold: 219 / 398 },
  { beta: 0.46, threshold: 0.5 },
])('at beta $beta it takes the smallest threshold whose corrected risk keeps it', ({ beta, threshold }) => {
  const tuned = fitted(conformalRiskControlPolicy, tenDebates()).at(budgetOf(beta))
  if (threshold === null) expect(tuned.threshold).toBeNull()
  else expect(tuned.threshold).toBeCloseTo(threshold, 11)
  expect([tuned.delta, tuned.epsilon]).toEqual([null, null])
})

describe('the monotonised loss', () => {
  test('counts a debate that a stricter threshold would act on wrongly', () => {
    // Right at .6 in round 1; a threshold in (.6, .9] waits and is wrong. Raw losses: 0 up to .6, then 1, then 0.
    const rows = { rows: 1, rounds: 2, scores: Float64Array.of(0.6, 0.9), correct: Uint8Array.of(1, 0) }
    const grid = Float64Array.of(0.55, 0.6, 0.61, 0.9, 0.91)
    expect([...trainingRisk(rows, grid).wrong]).toEqual([0, 0, 1, 1, 0])
    expect([...monotoneLosses(rows, grid)]).toEqual([1, 1, 1, 1, 0])
  })

  test('is the smallest non-increasing majorant of each debate, summed', () => {
    const score = fc.double({ min: 0.45, max: 1, noNaN: true })
    const label = fc.integer({ min: 0, max: 1 })
    const debates = fc.array(fc.array(fc.tuple(score, label), { minLength: 3, maxLength: 3 }), {
      minLength: 1,
      maxLength: 8,
    })
    fc.assert(
      fc.property(debates, (found) => {
        const one = found.map((debate) => ({
          rows: 1,
          rounds: 3,
          scores: Float64Array.from(debate, ([value]) => value),
          correct: Uint8Array.from(debate, ([, right]) => right),
        }))
        const all = {
          rows: one.length,
          rounds: 3,
          scores: Float64Array.from(one.flatMap(({ scores }) => [...scores])),
          correct: Uint8Array.from(one.flatMap(({ correct }) => [...correct])),
        }
        const raw = one.map((rows) => trainingRisk(rows, SCORE_GRID).wrong)
        const slow = Array.from(SCORE_GRID, (_, at) =>
          raw.reduce((sum, wrong) => sum + Math.max(...wrong.subarray(at)), 0),
        )
        expect([...monotoneLosses(all, SCORE_GRID)]).toEqual(slow)
      }),
      { numRuns: 50 },
    )
  })
})

test('the threshold is that of the published formula', () => {
  const losses = Uint32Array.from(SCORE_GRID, (_, at) => Math.max(0, 120 - at))
  for (const [count, beta] of [
    [400, 0.1],
    [1000, 0.05],
    [30, 0.03],
    [37, 0.3],
  ] as const) {
    const published = [...SCORE_GRID].filter((_, at) => {
      const risk = losses[at]! / count
      return (count / (count + 1)) * risk + 1 / (count + 1) <= beta
    })
    expect(loosestThreshold(losses, SCORE_GRID, count, beta)).toBe(published[0] ?? null)
  }
})

describe('on the learned score', () => {
  test('thresholds are those of SciPy for one round', () => {
    const recorded: readonly { beta: number; scores: number[]; right: number[]; threshold: number | null }[] =
      readReference('policies.json').riskControl
    for (const { beta, scores, right, threshold } of recorded) {
      const rows = {
        rows: scores.length,
        rounds: 1,
        scores: Float64Array.from(scores),
        correct: Uint8Array.from(right),
      }
      const losses = monotoneLosses(rows, PROBABILITY_GRID)
      expect(loosestThreshold(losses, PROBABILITY_GRID, rows.rows, beta)).toBe(threshold)
    }
    expect(recorded.some(({ threshold }) => threshold === null)).toBe(true)
  })

  test('rows that taught the score are not counted', () => {
    const train = readDebates(simulatedDebates({ count: 1000, seed: 41 }))
    const budget = budgetOf(0.2)
    const certificate = calibrate(train, { profile: 'total', budget, split: { seed: 7 } })
    const counted = certificate.split.neighbours.map((row) => train.debates[row]!)
    const rows = {
      rows: counted.length,
      rounds: 3,
      scores: Float64Array.from(counted.flatMap((debate) => [...certificate.scoresOf(debate, 3)!])),
      correct: Uint8Array.from(
        counted.flatMap(({ rounds, record }) => rounds.map(({ prediction }) => Number(prediction === record.gold))),
      ),
    }
    const expected = loosestThreshold(monotoneLosses(rows, PROBABILITY_GRID), PROBABILITY_GRID, rows.rows, 0.2)
    expect(expected).not.toBeNull()
    expect(fitted(conformalRiskLearnedPolicy, train).at(budget).threshold).toBe(expected)
  })
})

test('runs of one question count once', () => {
  const runs = (id: string, gold: string) => [0, 1, 2].map((run) => spokenDebate(`${id}#${run}`, gold, ['A', 0.9]))
  const train = readDebates([...runs('a', 'A'), ...runs('b', 'A'), ...runs('c', 'A')])
  const perQuestion = fitted(conformalRiskControlPolicy, train, { questionOf: (id) => id.split('#')[0]! })
  // Nothing lost: 1 / (n + 1) is .25 with three questions and .1 with nine debates.
  expect(perQuestion.at(budgetOf(0.2)).threshold).toBeNull()
  expect(perQuestion.at(budgetOf(0.25)).threshold).toBe(0.5)
  expect(fitted(conformalRiskControlPolicy, train).at(budgetOf(0.1)).threshold).toBe(0.5)
})
