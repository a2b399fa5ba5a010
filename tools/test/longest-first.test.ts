import { expect, test } from 'vitest'
import { inTurns } from '../longest-first.ts'

test('lists take turns in their own order, and each is spread over the whole', () => {
  expect(inTurns([['a1', 'a2', 'a3', 'a4'], ['b1', 'b2'], []])).toEqual(['a1', 'b1', 'a2', 'a3', 'b2', 'a4'])
})
