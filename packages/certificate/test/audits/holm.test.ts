import { describe, expect, test } from 'vitest'
import type { DraftCheck, DraftRow } from '../../src/audits/draft-check.ts'
import { holm, judge, testable } from '../../src/audits/holm.ts'
import { readReference } from '../reference/read-reference.ts'

test('adjusts by hand: .01, .04, .03 become .03, .06, .06', () => {
  expect(holm([0.01, 0.04, 0.03]).map((p) => Math.round(p * 1e12) / 1e12)).toEqual([0.03, 0.06, 0.06])
})

test('never exceeds 1 and keeps ties together', () => {
  expect(holm([0.5, 0.5, 0.9])).toEqual([1, 1, 1])
  expect(holm([])).toEqual([])
})

test('is the definition in another language', () => {
  for (const { p, adjusted } of readReference('audits.json').holm) {
    for (const [index, value] of holm(p).entries()) expect(value).toBeCloseTo(adjusted[index], 14)
  }
})

function row(pValue: number | null, reach = 1e-5, tells = 1e-5): DraftRow {
  return { name: 'row', n: 10, figure: 0.5, low: 0.2, high: 0.8, line: 0.9, pValue, reach, tells }
}

function check(rows: readonly DraftRow[], isWhole = false): DraftCheck {
  const next = { falsified: 'stop', 'not falsified': 'nothing', 'not enough data': 'label' }
  return { name: 'stopping-rounds', assumption: 'a', null: 'n', rows, isWhole, empty: 'empty', next }
}

describe('the family', () => {
  test('is the largest in which every row can be falsified', () => {
    // .004 could be falsified among two, not among three.
    const rows = [row(0.5, 0.004), row(0.5, 0.001), row(0.5, 0.02), row(null, 0)]
    expect(testable(rows).map(({ reach }) => reach)).toEqual([0.001, 0.004])
  })

  test('does not depend on what the labels said', () => {
    const reaches = [0.004, 0.001, 0.02]
    const sizes = [0, 0.3, 1].map((p) => testable(reaches.map((reach) => row(p, reach))).length)
    expect(new Set(sizes)).toEqual(new Set([2]))
  })
})

describe('verdicts', () => {
  test('falsified: one row of one check below .01 after adjustment over all checks', () => {
    const { verdict, checks } = judge([check([row(0.004)]), check([row(0.2), row(0.9)])])
    // .004 x 3 rows = .012
    expect(verdict).toBe('not falsified')
    expect(checks[0]!.adjustedPValue).toBeCloseTo(0.012, 12)
    const stronger = judge([check([row(0.003)]), check([row(0.2), row(0.9)])])
    expect(stronger.verdict).toBe('falsified')
    expect(stronger.checks.map((it) => it.verdict)).toEqual(['falsified', 'not falsified'])
    expect(stronger.checks[0]!.next).toBe('stop')
  })

  test('not enough data: no row that could be falsified, and no p-value is shown for it', () => {
    const { verdict, checks } = judge([check([row(0.5, 0.5)]), check([])])
    expect(verdict).toBe('not enough data')
    expect(checks[0]).toMatchObject({ verdict: 'not enough data', pValue: null, adjustedPValue: null })
    expect(checks[0]!.rows[0]!.pValue).toBeNull()
    expect(checks[1]!.finding).toBe('empty')
  })

  test('a check that needs every row is not satisfied by the others', () => {
    const blind = [row(0.5), row(0.2, 1e-5, 0.4)]
    expect(judge([check(blind)]).verdict).toBe('not falsified')
    const { checks } = judge([check(blind, true)])
    expect(checks[0]!.verdict).toBe('not enough data')
    expect(checks[0]!.finding).toContain('n = 10')
  })
})
