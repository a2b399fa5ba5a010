import { expect, test } from 'vitest'
import { resolveBudget } from '../../src/budget.ts'
import { budgetSentences } from '../../src/decision/budget-sentences.ts'

const budget = resolveBudget('test', { beta: 0.15, delta: 0.03, epsilon: 0.02 }, { kind: 'printed' })
const CLAIM =
  'Averaged over calibration sets drawn like yours and over new questions drawn the same way, the probability that quorate acts on a question and the answer is wrong is at most beta = 0.15. It assumes that questions are independent draws from the population you calibrated on, that labels are right, and that models, prompts and panel are unchanged. It is not a statement about any single answer, nor a promise that this one certificate stays below beta; spot checks estimate that.'
const NEARNESS =
  'It also assumes that correctness near a question does not exceed its own by more than the envelope, and that the state loses at most epsilon = 0.02. The audits can contradict these assumptions; they cannot prove them.'

test('cells promise beta under independence alone', () => {
  const cells = resolveBudget('test', { beta: 0.15, delta: 0.03, epsilon: 0 }, { kind: 'every-round', rounds: 3 })
  expect(budgetSentences({ kind: 'cells', budget: cells })).toEqual([
    CLAIM,
    'A cell that is right less than 85.2 % of the time (1 - alpha) acts with probability at most 0.01 over calibration sets. Averaged over calibration sets, at most beta of the debates that reach a cell are acted on there and wrong.',
  ])
})

test('deciding by group promises it of every group', () => {
  const [claim = ''] = budgetSentences({ kind: 'cells', budget, groupConditional: true })
  expect(claim).toBe(
    CLAIM.replace('Averaged over', 'Within each group, averaged over').replace(
      'new questions drawn',
      'new questions of that group drawn',
    ),
  )
})

test('the k-NN profiles add what they assume of the envelope and the state', () => {
  expect(budgetSentences({ kind: 'knn', budget })).toEqual([CLAIM, NEARNESS])
})
