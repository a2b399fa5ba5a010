import { expect, test } from 'vitest'
import { decimal, markdownTable, percent, signed } from '../../src/tables/markdown.ts'

test('numbers are printed as the method prints them', () => {
  expect([percent(0.4567), percent(1, 0), percent(-0.0001)]).toEqual(['45.7', '100', '0.0'])
  expect([decimal(0.05), decimal(1), decimal(-0.25)]).toEqual(['.05', '1.00', '-.25'])
  expect([signed(1.25), signed(-0.04), signed(-3)]).toEqual(['+1.3', '0.0', '-3.0'])
})

test('columns are as wide as their widest cell', () => {
  expect(markdownTable(['a', 'long'], [['wide', '1']])).toBe('| a    | long |\n| ---- | ---- |\n| wide | 1    |')
})
