import { describe, expect, test } from 'vitest'
import type { CheckRow } from '../../src/audits/audit.ts'
import { judge } from '../../src/audits/holm.ts'
import { worstRow } from '../../src/audits/worst-row.ts'

function row(name: string, pValue: number | null, figure: number, line: number | null = 0.9): CheckRow {
  return { name, n: 10, figure, low: null, high: null, line, pValue, adjustedPValue: pValue }
}

describe('the worst row', () => {
  test('has the smallest p-value', () => {
    expect(worstRow([row('low', 0.2, 0.1), row('rare', 0.1, 0.8), row('untested', null, 0)])?.name).toBe('rare')
  })

  test('is furthest below its line among equal p-values, whatever their order', () => {
    const tied = [row('near', 0.1, 0.8), row('far', 0.1, 0.5), row('below another line', 0.1, 0.4, 0.6)]
    expect(worstRow(tied)?.name).toBe('far')
    expect(worstRow(tied.toReversed())?.name).toBe('far')
  })

  test('deviates most among equal p-values without a line', () => {
    expect(worstRow([row('small', 0.1, 2, null), row('large', 0.1, 3, null)])?.name).toBe('large')
  })

  test('is null if nothing was tested', () => {
    expect(worstRow([])).toBeNull()
    expect(worstRow([row('untested', null, 0.1)])).toBeNull()
  })

  test('is the row of the finding if p-values tie', () => {
    const next = { falsified: 'stop', 'not falsified': 'nothing', 'not enough data': 'label' }
    const rows = [row('near', 0.1, 0.8), row('far', 0.1, 0.5)].map(({ adjustedPValue: _, ...rest }) => {
      return { ...rest, promise: 0.95, reach: 1e-5, clearPValue: 1e-5 }
    })
    const { checks } = judge([{ name: 'stopping-rounds', assumption: 'a', null: 'n', rows, empty: 'empty', next }])
    expect(worstRow(checks[0]?.rows ?? [])?.name).toBe('far')
    expect(checks[0]?.finding).toMatch(/^far: 50\.0 %/)
  })
})
