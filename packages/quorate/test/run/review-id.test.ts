import { seededRandom } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { reviewIdOf } from '../../src/run/decision-record.ts'
import { timeOrderedIds } from '../../src/store/time-ordered-id.ts'

test('reviews have ids of their own, the same each time and in the order of their decisions', () => {
  let calls = 0
  const newId = timeOrderedIds({ now: () => 1_790_000_000_000 + Math.floor(calls++ / 4), random: seededRandom(3) })
  const decisions = Array.from({ length: 500 }, newId)
  const reviews = decisions.map(reviewIdOf)
  expect(decisions.map(reviewIdOf)).toEqual(reviews)
  expect([...reviews].sort()).toEqual(reviews)
  expect(new Set([...reviews, ...decisions]).size).toBe(1000)
  for (const id of reviews) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
})
