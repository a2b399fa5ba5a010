import { expect, test } from 'vitest'
import { checkReviews } from '../../../src/run/verify/verify-run.ts'

const review = (reviewId: string, questionId = 'q1') => ({ reviewId, questionId, outcome: { kind: 'cannot-tell' } })
const checks = () => checkReviews((id) => id === 'q1')

test('a review of a decided question may be submitted, undone, submitted again and retracted', () => {
  const { next } = checks()
  const kinds = ['review', 'review-undone', 'review', 'review-retracted']
  expect(kinds.map((kind) => next(kind, review('r1')))).toEqual([null, null, null, null])
  expect(next('review', review('r2'))).toBeNull()
})

test.each([
  ['a review of what nobody decided', 'review', review('r1', 'q2'), /"q2" is decided before/],
  ['a review without an outcome', 'review', { reviewId: 'r1', questionId: 'q1' }, /outcome is missing/],
  ['taking back what nobody said', 'review-undone', review('r1'), /undone that was never submitted/],
  ['retracting what nobody said', 'review-retracted', review('r1'), /undone that was never submitted/],
  [
    'a round about another question',
    'certified',
    { decisionId: 'd', questionId: 'q1', debate: { id: 'q2' } },
    /another/,
  ],
])('%s is found', (_, kind, body, words) => {
  expect(checks().next(kind, body)).toMatch(words)
})

test('the same review twice is found', () => {
  const { next } = checks()
  next('review', review('r1'))
  expect(next('review', review('r1'))).toMatch(/a second time/)
})

test('rounds of a caller are accepted, and unknown rows are not', () => {
  const { next } = checks()
  expect(next('certified', { decisionId: 'd', questionId: 'q1', debate: { id: 'q1' } })).toBeNull()
  expect(next('rumour', {})).toBeUndefined()
})
