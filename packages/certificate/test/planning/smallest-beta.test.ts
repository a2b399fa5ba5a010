import { describe, expect, test } from 'vitest'
import { isActing, isHalf, reachedBeta, smallestBeta, type Tried } from '../../src/planning/smallest-beta.ts'
import { deviation, lowerMedian, spread } from '../../src/planning/spread.ts'

const DELTA = 0.03

describe('the smallest beta', () => {
  test.each([0.034, 0.0423, 0.08, 0.0999, 0.1, 0.1001, 0.2, 0.6])(
    'is the first of three decimals when acting begins at %d',
    (from) => {
      expect(search([(beta) => beta >= from]).beta).toBe(Math.ceil(from * 1000 - 1e-9) / 1000)
    },
  )

  test('is not a single lucky step below a gap', () => {
    expect(search([(beta) => beta >= 0.18 || (beta > 0.049 && beta < 0.051)]).beta).toBe(0.18)
  })

  test('lies above the declared one if that does not act, and not above it if it does', () => {
    expect(search([(beta) => beta < 0.095 || beta > 0.15]).beta).toBe(0.151)
    expect(search([(beta) => beta === 0.1]).beta).toBe(0.1)
    expect(search([(beta) => beta === 0.0525], 0.0525).beta).toBe(0.0525)
  })

  test('is absent where nothing acts, and where delta leaves nothing', () => {
    expect(search([() => false]).beta).toBeNull()
    expect(reachedBeta(search([() => false]))).toBeNull()
    expect(smallestBeta([], { beta: 0.1, delta: 0.9995, epsilon: 0 }, { kind: 'printed' }).beta).toBeNull()
  })

  test('is one at which half of the splits act together, not the median of what each reaches alone', () => {
    // Alone they reach .06, .08 and .12, but at .08 the first does not act any more.
    const splits = [(beta: number) => (beta >= 0.06 && beta < 0.07) || beta >= 0.2, from(0.08), from(0.12)]
    const found = search(splits, 0.05)
    expect(found.beta).toBe(0.12)
    expect(isHalf(splits, (acts) => acts(found.beta!))).toBe(true)
  })

  test('has a range of what splits reach alone that holds it', () => {
    expect(reachedBeta(search([from(0.06), from(0.08), from(0.12)]))).toEqual({
      beta: 0.08,
      min: 0.06,
      max: 0.12,
      splits: 3,
    })
    expect(reachedBeta(search([from(0.06), from(0.08), () => false]))).toMatchObject({ beta: 0.08, splits: 2 })
  })
})

test('less than one per cent of the debates is not acting', () => {
  expect(isActing({ acted: 9, debates: 1000 })).toBe(false)
  expect(isActing({ acted: 10, debates: 1000 })).toBe(true)
  expect(isActing({ acted: 7, debates: 700 })).toBe(true)
  expect(isActing({ acted: 0, debates: 0 })).toBe(false)
  for (let acted = 1; acted < 200; acted++) expect(isActing({ acted, debates: 100 * acted })).toBe(true)
})

test('half is at least half and at least one', () => {
  const half = (...values: boolean[]) => isHalf(values, (value) => value)
  expect([half(true, false), half(false, true, false), half(false, true, true), half()]).toEqual([
    true,
    false,
    true,
    false,
  ])
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

  test('the deviation of 2, 4, 4, 4, 5, 5, 7, 9 is sqrt(32 / 7)', () => {
    expect(deviation([2, 4, 4, 4, 5, 5, 7, 9])).toBeCloseTo(Math.sqrt(32 / 7), 12)
  })
})

function from(least: number) {
  return (beta: number) => beta >= least
}

function search(splits: readonly ((beta: number) => boolean)[], beta = 0.1) {
  const tried = splits.map((acts): Tried => ({ counted: 5000, acts: (asked) => acts(asked.beta) }))
  return smallestBeta(tried, { beta, delta: DELTA, epsilon: 0 }, { kind: 'printed' })
}
