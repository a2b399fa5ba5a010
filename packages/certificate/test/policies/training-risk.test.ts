import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RoundScores } from '../../src/policies/learned-score.ts'
import { mostAction, SCORE_GRID, trainingRisk } from '../../src/policies/training-risk.ts'

/** Runs every debate at one threshold, round by round. */
function slowRisk({ rows, rounds, scores, correct }: RoundScores, threshold: number) {
  let [acted, wrong] = [0, 0]
  for (let row = 0; row < rows; row++) {
    for (let at = row * rounds; at < (row + 1) * rounds; at++) {
      if (!(scores[at]! >= threshold)) continue
      acted++
      if (correct[at] === 0) wrong++
      break
    }
  }
  return { acted, wrong }
}

/** Scores on and between the points of the grid, beyond its ends, and absent. */
const score = fc.oneof(
  fc.double({ min: 0.4, max: 1.1, noNaN: true }),
  fc.constantFrom(...SCORE_GRID, 0.4, Number.NaN, 0.7, 0.9),
)
const training = fc.integer({ min: 1, max: 4 }).chain((rounds) =>
  fc
    .array(fc.array(fc.tuple(score, fc.integer({ min: 0, max: 1 })), { minLength: rounds, maxLength: rounds }), {
      minLength: 1,
      maxLength: 12,
    })
    .map(
      (debates): RoundScores => ({
        rows: debates.length,
        rounds,
        scores: Float64Array.from(debates.flat(), ([value]) => value),
        correct: Uint8Array.from(debates.flat(), ([, label]) => label),
      }),
    ),
)

describe('the grid', () => {
  test('has 200 decimals evenly from .5 to 1', () => {
    expect(SCORE_GRID).toHaveLength(200)
    expect([SCORE_GRID[0], SCORE_GRID[199]]).toEqual([0.5, 1])
    for (const [at, point] of SCORE_GRID.entries()) {
      expect(point).toBeCloseTo((199 + at) / 398, 12)
      expect(Number(point.toFixed(12))).toBe(point)
    }
  })
})

describe('trainingRisk', () => {
  test('counts what running every debate at every threshold counts', () => {
    fc.assert(
      fc.property(training, (rows) => {
        const { acted, wrong } = trainingRisk(rows, SCORE_GRID)
        const slow = Array.from(SCORE_GRID, (threshold) => slowRisk(rows, threshold))
        expect([...acted]).toEqual(slow.map((found) => found.acted))
        expect([...wrong]).toEqual(slow.map((found) => found.wrong))
      }),
      { numRuns: 300 },
    )
  })

  test('acts less, never more, as the threshold rises', () => {
    fc.assert(
      fc.property(training, (rows) => {
        const { acted } = trainingRisk(rows, SCORE_GRID)
        expect([...acted]).toEqual([...acted].sort((a, b) => b - a))
      }),
    )
  })
})

describe('mostAction', () => {
  test('takes most action within the budget, then fewest wrong, then the strictest threshold', () => {
    const beta = fc.double({ min: 0.01, max: 0.99, noNaN: true })
    fc.assert(
      fc.property(training, beta, (rows, beta) => {
        const found = mostAction(trainingRisk(rows, SCORE_GRID), SCORE_GRID, beta)
        const kept = Array.from(SCORE_GRID, (threshold) => ({ threshold, ...slowRisk(rows, threshold) }))
          .filter(({ wrong }) => wrong / rows.rows <= beta)
          .sort((a, b) => b.acted - a.acted || a.wrong - b.wrong || b.threshold - a.threshold)
        expect(found).toBe(kept[0]?.threshold ?? null)
      }),
    )
  })

  test('a share of wrong actions equal to the budget keeps it', () => {
    const risk = { rows: 20, acted: Uint32Array.of(20, 10), wrong: Uint32Array.of(3, 0) }
    expect(mostAction(risk, Float64Array.of(0.5, 0.75), 0.15)).toBe(0.5)
    expect(mostAction(risk, Float64Array.of(0.5, 0.75), 0.1499)).toBe(0.75)
  })
})
