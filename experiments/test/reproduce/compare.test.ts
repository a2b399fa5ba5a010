import { expect, test } from 'vitest'
import { compareDecimal, compareNumber, comparePercent } from '../../src/reproduce/tables/compare.ts'

test('a cell shows the paper, ours and the gap between the numbers as shown', () => {
  expect(comparePercent(27.9, 0.29149)).toBe('27.9 / 29.1 (+1.2)')
  expect(comparePercent(100, 1)).toBe('100.0 / 100.0 (0.0)')
  expect(compareDecimal(0.12, 0.0849)).toBe('.12 / .08 (-.04)')
  expect(compareNumber(1.27, 1.5, 2)).toBe('1.27 / 1.50 (+0.23)')
})

test('a number that is not there is a dash, never a zero', () => {
  expect(comparePercent(null, 0.5)).toBe('– / 50.0')
  expect(comparePercent(12.3, null)).toBe('12.3 / –')
  expect(compareDecimal(null, undefined)).toBe('– / –')
  expect(compareNumber(4, Number.NaN)).toBe('4.0 / –')
})
