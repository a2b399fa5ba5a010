import { expect, test } from 'vitest'
import { PAPER_TABLES } from '../../src/reproduce/tables/all-tables.ts'
import { closenessText, meanDistance } from '../../src/reproduce/tables/closeness.ts'
import { madeMeasurements } from './made-measurements.ts'

test('the distance of a table is the mean over its compared cells', () => {
  expect(meanDistance('| a | 27.9 / 48.6 (+20.7) | .10 / .15 (+.05) | – / 3.0 |')).toBeCloseTo((20.7 + 0.05) / 2)
  expect(meanDistance('no numbers')).toBeNull()
})

test('tables that hold targets are not counted', () => {
  const text = closenessText(PAPER_TABLES, madeMeasurements())
  expect(text).toMatch(/Of 1\d tables without a target of the fit \d+ came closer/)
  for (const fitted of ['Table 1:', 'Table 2:', 'Table 12:', 'Table 17:']) expect(text).not.toContain(fitted)
})
