import { expect, test } from 'vitest'
import {
  atLeastText,
  atMostText,
  comparedText,
  countText,
  exactTexts,
  leastProbabilityText,
  percentWithInterval,
} from '../../src/text/number-text.ts'

test('counts have separators', () => {
  expect([0, 999, 1840, 1234567].map(countText)).toEqual(['0', '999', '1,840', '1,234,567'])
})

test('a rate stands beside its interval', () => {
  expect(percentWithInterval(0.5831, { lower: 0.5611, upper: 0.6049 })).toBe('58.3 (56.1–60.5)')
})

test('a limit is never rounded to one that promises more', () => {
  expect([0.9266, 0.92699, 0.57, 0.29, 0, 1].map(atLeastText)).toEqual(['92.6', '92.6', '57.0', '29.0', '0.0', '100.0'])
  expect([0.0631, 0.06304, 0.07, 0.56, 0, 1].map(atMostText)).toEqual(['6.4', '6.4', '7.0', '56.0', '0.0', '100.0'])
  expect([0.9266, 0.92699, 0.57, 1].map(leastProbabilityText)).toEqual(['0.926', '0.926', '0.570', '1.000'])
})

test('two numbers get enough digits to show which is larger', () => {
  expect(comparedText(0.9312, 0.93)).toEqual(['0.931', '0.930'])
  expect(comparedText(0.92996, 0.93)).toEqual(['0.92996', '0.93000'])
  expect(comparedText(0.93, 0.93)).toEqual(['0.930', '0.930'])
})

test('parts of a sum get the digits of the finest', () => {
  expect(exactTexts([0.1, 0.03, 0.07])).toEqual(['0.100', '0.030', '0.070'])
  expect(exactTexts([0.001, 0.0003, 0.0007])).toEqual(['0.0010', '0.0003', '0.0007'])
})
