import { expect, test } from 'vitest'
import { checkRun, reviewChecks } from '../../../src/run/verify/verify-run.ts'

const review = (reviewId: string, questionId = 'q1') => ({ reviewId, questionId, outcome: { kind: 'cannot-tell' } })
const handled = (questionId = 'q1') => ({ reviewId: 'r1', questionId, by: 'chief' })
const checks = () => reviewChecks((id) => id === 'q1')

test('a review of a decided question may be submitted, undone, submitted again and retracted', () => {
  const own = checks()
  const kinds = ['review', 'review-undone', 'review', 'review-retracted'] as const
  expect(kinds.map((kind) => own[kind](review('r1')))).toEqual([null, null, null, null])
  expect(own.review(review('r2'))).toBeNull()
})

test.each([
  ['a review of what nobody decided', 'review', review('r1', 'q2'), /"q2" is decided before/],
  ['a review without an outcome', 'review', { reviewId: 'r1', questionId: 'q1' }, /outcome is missing/],
  ['undoing what nobody submitted', 'review-undone', review('r1'), /undone that was never submitted/],
  ['retracting what nobody submitted', 'review-retracted', review('r1'), /undone that was never submitted/],
  ['a request for what nobody decided', 'review-requested', handled('q2'), /"q2" is decided before/],
  ['an assignment without a due date', 'review-assigned', { ...handled(), assignedTo: 'ann' }, /expected the item/],
  ['a claim that nobody released', 'claim-released', handled(), /expected the claim/],
] as const)('%s is found', (_, kind, body, words) => {
  expect(checks()[kind](body)).toMatch(words)
})

test('the same review twice is found', () => {
  const own = checks()
  own.review(review('r1'))
  expect(own.review(review('r1'))).toMatch(/a second time/)
})

test('requests, assignments and released claims are accepted', () => {
  const own = checks()
  expect(own['review-requested'](handled())).toBeNull()
  expect(own['review-assigned']({ ...handled(), assignedTo: null, dueAt: 5 })).toBeNull()
  expect(own['claim-released']({ ...handled(), reviewer: 'ann' })).toBeNull()
})

test('rounds of a caller are accepted, and rounds about another question and unknown rows are not', () => {
  const { next } = checkRun([])
  const runId = 'run'
  const certified = (id: string) => ({ decisionId: 'd', questionId: 'q1', debate: { id } })
  expect(next({ runId, kind: 'round-certified', body: certified('q1') })).toMatch(/must be opened first/)
  expect(next({ runId, kind: 'run-opened', body: { kind: 'debate', questions: 1 } })).toBeNull()
  expect(next({ runId, kind: 'round-certified', body: certified('q1') })).toBeNull()
  expect(next({ runId, kind: 'round-certified', body: certified('q2') })).toMatch(/another question/)
  for (const kind of ['rumour', 'toString', 'activate']) {
    expect(next({ runId, kind, body: {} })).toBe(`expected a kind of row that is known, got "${kind}"`)
  }
})
