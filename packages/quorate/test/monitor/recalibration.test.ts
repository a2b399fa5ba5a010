import { expect, test } from 'vitest'
import { type LabelledRow, recalibrationRows } from '../../src/monitor/recalibration.ts'

const row = (source: LabelledRow['source']) => ({ questionId: 'q', source })

test('spot checks and imported labels may recalibrate', () => {
  const rows = [row('import'), row('spot-check')]
  expect(recalibrationRows(rows)).toEqual({ kind: 'accepted', rows })
})

test('a recalibration from labels of deferrals is refused, with their number and the reason', () => {
  const found = recalibrationRows([row('import'), row('deferral'), row('deferral')])
  expect(found).toMatchObject({ kind: 'refused', count: 2, of: 3 })
  expect(found.kind === 'refused' && found.reason).toContain('2 of 3 rows are labels of deferrals')
  expect(found.kind === 'refused' && found.reason).toContain('not a random sample of the population')
})

test('one label of a deferral among a thousand is enough', () => {
  const rows = [...Array.from({ length: 999 }, () => row('import')), row('deferral')]
  expect(recalibrationRows(rows)).toMatchObject({ kind: 'refused', count: 1, of: 1000 })
})

test('an unknown source is refused too', () => {
  const unknownSource = { questionId: 'q', source: 'guess' as LabelledRow['source'] }
  expect(recalibrationRows([unknownSource]).kind).toBe('refused')
})
