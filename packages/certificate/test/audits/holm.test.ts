import { describe, expect, test } from 'vitest'
import type { DraftCheck, DraftRow } from '../../src/audits/draft-check.ts'
import { familyOf, holm, judge } from '../../src/audits/holm.ts'
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

function row(pValue: number | null, reach = 1e-5, clearPValue = 1e-5): DraftRow {
  return { name: 'row', n: 10, figure: 0.5, low: 0.2, high: 0.8, line: 0.9, promise: 0.95, pValue, reach, clearPValue }
}

function check(rows: readonly DraftRow[], needed?: DraftCheck['needed']): DraftCheck {
  const next = { falsified: 'stop', 'not falsified': 'nothing', 'not enough data': 'label' }
  return { name: 'stopping-rounds', assumption: 'a', null: 'n', rows, ...(needed && { needed }), empty: 'empty', next }
}

describe('the family', () => {
  test('is the largest in which every row can be falsified', () => {
    // .004 could be falsified among two, not among three.
    const rows = [row(0.5, 0.004), row(0.5, 0.001), row(0.5, 0.02), row(null, 0)]
    expect(familyOf([check(rows)]).rows.map(({ reach }) => reach)).toEqual([0.001, 0.004])
  })

  test('does not depend on what the labels said', () => {
    const reaches = [0.004, 0.001, 0.02]
    const sizes = [0, 0.3, 1].map((p) => familyOf([check(reaches.map((reach) => row(p, reach)))]).size)
    expect(new Set(sizes)).toEqual(new Set([2]))
  })

  test('has as many rows of a check that labels pick as were fixed beforehand, whatever they can do', () => {
    const picked = (rows: readonly DraftRow[]) => ({ ...check(rows), counted: 4 })
    for (const rows of [[], [row(null, 1)], [row(0.5, 0.4), row(0.001)], [row(0.5), row(0.5), row(0.5), row(0.5)]]) {
      expect(familyOf([picked(rows), check([row(0.2)])]).size).toBe(5)
    }
    const { checks } = judge([picked([row(0.0021), row(0.5, 0.4)]), check([])])
    expect(checks[0]!.adjustedPValue).toBeCloseTo(4 * 0.0021, 12)
    // What could not be falsified among four has no p-value.
    expect(checks[0]!.rows[1]!.pValue).toBeNull()
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
    const { checks } = judge([check(blind, 'every row')])
    expect(checks[0]!.verdict).toBe('not enough data')
    expect(checks[0]!.finding).toContain('n = 10')
  })

  test('a check that needs one row is satisfied by one', () => {
    const blind = row(0.2, 1e-5, 0.4)
    expect(judge([check([blind, row(0.5)], 'one row')]).verdict).toBe('not falsified')
    expect(judge([check([blind, blind], 'one row')]).verdict).toBe('not enough data')
  })
})

describe('findings', () => {
  test('name the row furthest below its promise where data are too few, not the largest', () => {
    const blind = { ...row(0.5, 1e-5, 0.4), n: 900, figure: 0.95 }
    const low = { ...blind, name: 'late', n: 40, figure: 0.7, promise: 0.9 }
    const { checks } = judge([check([blind, low], 'every row')])
    expect(checks[0]!.finding).toContain('late: 70.0 % of 40 were right, where 90.0 % were promised; n = 40 is too few')
  })

  test('say over how many rows chance is not ruled out, and how many were too small', () => {
    const groups = { ...check([row(0.5), row(0.9), row(0.5, 0.5)]), name: 'groups' as const }
    const { checks } = judge([groups, check([row(0.2)])])
    expect(checks[0]!.finding).toContain(
      'the least favourable of 2: not enough to rule out chance over the 3 rows tested.',
    )
    expect(checks[0]!.finding).toContain('Of 3 groups 1 was too small.')
  })

  test('say where no row is below its limit', () => {
    const above = { ...row(1), figure: 0.92 }
    expect(judge([check([above, { ...above, figure: 0.97 }])]).checks[0]!.finding).toMatch(/^row: 92.* no row is below/)
    expect(judge([check([above, row(1)])]).checks[0]!.finding).toContain('not enough to rule out chance')
  })
})
