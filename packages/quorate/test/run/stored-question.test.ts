import { expect, test } from 'vitest'
import type { Question } from '../../src/record/question.ts'
import { readIntake, writeIntake } from '../../src/run/stored-question.ts'

const NO_OR_YES = ['no', 'yes'].map((name) => ({ name, text: name }))
const question: Question = { id: 'q1', question: 'Refund?', options: NO_OR_YES, gold: null, group: null }

test('the promise to the caller of a server is stored with the question', () => {
  const intake = { decisionId: 'd1', requestKey: 'k1', caller: { name: 'shop' }, isAttended: true }
  expect(readIntake(writeIntake(question, intake))).toEqual(intake)
})

test('a stored question without its caller keeps the promised id and the Idempotency-Key', () => {
  const stored = JSON.stringify({ ...question, decisionId: 'd1', requestKey: 'k1' })
  expect(readIntake(stored)).toEqual({ decisionId: 'd1', requestKey: 'k1' })
})

test('a question that no server accepted has no promise', () => {
  expect(readIntake(JSON.stringify(question))).toBeNull()
  expect(readIntake(null)).toBeNull()
})
