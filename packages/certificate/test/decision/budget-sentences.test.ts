import { describe, expect, test } from 'vitest'
import { resolveBudget } from '../../src/budget.ts'
import { budgetSentences } from '../../src/decision/budget-sentences.ts'
import type { TotalClaimant } from '../../src/decision/total-sentences.ts'
import { promiseLevels, resolvePromise, type TotalPromiseInput } from '../../src/total/promise.ts'

const budget = resolveBudget('test', { beta: 0.15, delta: 0.03, epsilon: 0.02 }, { kind: 'printed' })
const CLAIM =
  'Averaged over calibration sets drawn like yours and over new questions drawn the same way, the probability that quorate acts on a question and the answer is wrong is at most beta = 0.15. It assumes that questions are independent draws from the population you calibrated on, that labels are right, and that models, prompts and panel are unchanged. It is not a statement about any single answer, nor a promise that this one certificate stays below beta; spot checks estimate that.'
const NEARNESS =
  'It also assumes that correctness near a question does not exceed its own by more than the envelope, and that the state loses at most epsilon = 0.02. The audits can contradict these assumptions; they cannot prove them.'

test('cells promise beta under independence alone', () => {
  const cells = resolveBudget('test', { beta: 0.15, delta: 0.03, epsilon: 0 }, { kind: 'every-round', rounds: 3 })
  expect(budgetSentences({ kind: 'cells', budget: cells })).toEqual([
    CLAIM,
    'A cell that is right less than 85.16 % of the time (1 - alpha) acts with probability at most 0.01 over calibration sets. Averaged over calibration sets, at most beta of the debates that reach a cell are acted on there and wrong.',
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

describe('what total prints before anything is counted', () => {
  function sentences(input: TotalPromiseInput, { groupConditional = false } = {}): string {
    const promise = resolvePromise('test', input)
    const levels = promiseLevels(promise)
    const claimant: TotalClaimant = {
      kind: 'total',
      promise,
      levels,
      outcomes: null,
      groupConditional,
      deferredGroups: [],
    }
    return budgetSentences(claimant).join(' ')
  }

  test('a budget or a floor that is no round number is printed as it is tested', () => {
    const words = sentences({ beta: 0.123456, floor: 0.87654, answers: { approve: 0.00149 } })
    expect(words).toContain('at most 12.3456 % of new questions')
    expect(words).toContain('at least 87.654 % of the new debates')
    expect(words).toContain('at most 0.149 % of those with the answer "approve"')
  })

  test.each([
    { delta: 0.05, total: '97 %', floor: '98 %', both: '95 %' },
    // A seventh and a fiftieth of .05: no confidence is rounded up, least of all to certainty.
    { delta: 0.05 / 7, total: '99.57 %', floor: '99.71 %', both: '99.28 %' },
    { delta: 0.001, total: '99.94 %', floor: '99.96 %', both: '99.9 %' },
    { delta: 0.0005, total: '99.97 %', floor: '99.98 %', both: '99.95 %' },
  ])('confidence at delta $delta is not rounded up', ({ delta, total, floor, both }) => {
    const words = sentences({ beta: 0.1, delta })
    expect(words).toContain(`With ${total} confidence over`)
    expect(words).toContain(`With ${floor} confidence, in`)
    expect(words).toContain(`both together with ${both}.`)
  })

  test('floors and budgets of answers hold for each group separately, as the total does', () => {
    const words = sentences({ beta: 0.1, answers: { approve: 0.01 } }, { groupConditional: true })
    expect(words).toContain('With 98.5 % confidence for each group separately, in every class')
    expect(words).toContain('all promises together with 95 % for each group separately.')
    expect(words).toContain('With 98.5 % confidence for each group separately it also acts')
  })
})
