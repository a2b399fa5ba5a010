import { describe, expect, test } from 'vitest'
import type { Replay } from '../../src/decision/replay.ts'
import { isActing, smallestAlpha } from '../../src/planning/smallest-alpha.ts'
import { lowerMedian, spread } from '../../src/planning/spread.ts'

const BUDGET = { beta: 0.1, delta: 0.03, epsilon: 0.02 }

describe('over neighbourhoods the smallest alpha', () => {
  test('is what the bound of the debate at the hundredth leaves, rounds and gaps included', () => {
    const bounds = new Float64Array(400).fill(0.2)
    bounds.set([Number.NaN, 0.97], 0)
    bounds.set([0.93, Number.NaN], 2)
    // 200 debates of two rounds: two of them are one per cent, and the second best bound is .93.
    expect(smallestAlpha({ kind: 'knn', replay: replayOf(bounds, 2), counted: 100 }, BUDGET)).toBeCloseTo(0.07, 10)
  })

  test('is absent where fewer than one per cent have a bound', () => {
    const bounds = new Float64Array(200).fill(Number.NaN)
    bounds[0] = 0.99
    expect(smallestAlpha({ kind: 'knn', replay: replayOf(bounds, 1), counted: 100 }, BUDGET)).toBeNull()
  })
})

describe('over cells the smallest alpha', () => {
  const searched = (acts: (alpha: number) => boolean, beta = 0.1) =>
    smallestAlpha({ kind: 'cells', replay: searchable(acts), counted: 5000 }, { beta, delta: 0.03, epsilon: 0 })

  test.each([0.002, 0.0123, 0.05, 0.0699, 0.0701, 0.2, 0.6])(
    'is found within .0025 when acting begins at %d',
    (from) => {
      const found = searched((alpha) => alpha >= from)!
      expect(found).toBeGreaterThanOrEqual(from)
      expect(found).toBeLessThanOrEqual(from + 0.0026)
    },
  )

  test('is not a single lucky step below a gap', () => {
    expect(searched((alpha) => alpha >= 0.15 || (alpha > 0.019 && alpha < 0.021))).toBeGreaterThanOrEqual(0.15)
  })

  test('lies above the declared one if that does not act, and not above it if it does', () => {
    expect(searched((alpha) => alpha < 0.065 || alpha > 0.12)).toBeGreaterThan(0.12)
    expect(searched((alpha) => Math.abs(alpha - 0.07) < 1e-9)).toBeCloseTo(0.07, 10)
  })

  test('is absent where nothing acts, and where delta leaves nothing', () => {
    expect(searched(() => false)).toBeNull()
    const replay = searchable(() => true)
    expect(smallestAlpha({ kind: 'cells', replay, counted: 10 }, { beta: 0.1, delta: 0.9995, epsilon: 0 })).toBeNull()
  })
})

test('less than one per cent of the debates is not acting', () => {
  expect(isActing({ acted: 9, debates: 1000 })).toBe(false)
  expect(isActing({ acted: 10, debates: 1000 })).toBe(true)
  expect(isActing({ acted: 0, debates: 0 })).toBe(false)
})

describe('over splits', () => {
  test('the median is the smallest value that at least half of the splits do not exceed', () => {
    expect(lowerMedian([0.3, 0.1, 0.2])).toBe(0.2)
    expect(lowerMedian([0.4, 0.1, 0.3, 0.2])).toBe(0.2)
    expect(lowerMedian([null, 0.1, null, 0.2])).toBe(0.2)
  })

  test('a figure that most splits lack is absent', () => {
    expect(spread([null, 0.1, null])).toBeNull()
    expect(spread([null, 0.1, 0.3])).toEqual({ median: 0.3, min: 0.1, max: 0.3, splits: 2 })
  })
})

function replayOf(bounds: Float64Array, rounds: number): Replay {
  const debates = bounds.length / rounds
  return {
    debates,
    rounds,
    at: () => ({ threshold: 0, feasible: true, bounds, actedAt: new Uint8Array(debates) }),
  }
}

/** A hundred debates, all acted on or none. */
function searchable(acts: (alpha: number) => boolean): Replay {
  return {
    debates: 100,
    rounds: 1,
    at: ({ beta, delta }) => ({
      threshold: 0,
      feasible: true,
      bounds: new Float64Array(100),
      actedAt: new Uint8Array(100).fill(acts(beta - delta) ? 1 : 0),
    }),
  }
}
