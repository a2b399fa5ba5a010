import { expect, test } from 'vitest'
import { declaredText } from '../../src/parts/number-text.ts'

test.each([
  [0.1, '10'],
  [0.025, '2.5'],
  [0.0025, '0.25'],
  [0.00125, '0.125'],
  [0.12345, '12.345'],
  [0.0001, '0.01'],
  [0.000015, '0.0015'],
  [0.0000001, '0.00001'],
  [0.8125, '81.25'],
  [0, '0'],
  [1, '100'],
])('a declared %d is shown in per cent as %s', (share, text) => {
  expect(declaredText(share)).toBe(text)
})

test('rounding errors do not show, and a computed share has two decimals', () => {
  expect([0.1 + 0.2, 3 * 0.05, 1 - 2 * 0.1, 6 * 0.005, 0.95].map(declaredText)).toEqual(['30', '15', '80', '3', '95'])
  expect([1 / 3, 0.1042379183].map(declaredText)).toEqual(['33.33', '10.42'])
})
