import { expect, test } from 'vitest'
import { seededHash } from '../../src/beliefs/prediction.ts'

/** From an independent implementation of the doc comment in Python, on unbounded integers. */
test.each([
  ['', 0, 0, 3138444313],
  ['q1', 1, 0, 1464149725],
  ['q1', 2, 0, 969532435],
  ['q1', 1, 7, 3743458226],
  ['mmlu-pro-70', 3, 4294967295, 3155453876],
  ['é中😀', 64, 11, 3197825712],
  ['\ud800', 1, 0, 160112830],
])('of %j, round %d, seed %d is %d', (text, round, seed, expected) => {
  expect(seededHash(text, round, seed)).toBe(expected)
})
