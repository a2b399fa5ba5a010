import { expect, test } from 'vitest'
import { evidenceText } from '../../../src/pages/overview/evidence-text.ts'

test.each([
  [1, '1'],
  [1.317, '1.31'],
  [19.99, '19.9'],
  [20, '20'],
  [53.16, '53.1'],
  [199.9, '199'],
  [2056.77, '2,056'],
  [999_999.9, '999,999'],
  [4_811_135.9, '4.8 million'],
  [3.25e9, '3.2 billion'],
  [1e12, '1 trillion or more'],
])('evidence of %d is shown as %s, never rounded up', (value, text) => {
  expect(evidenceText(value)).toBe(text)
})
