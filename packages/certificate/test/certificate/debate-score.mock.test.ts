import { beforeEach, expect, test, vi } from 'vitest'
import { calibrate } from '../../src/certificate/calibrate.ts'
import { fitDebateScore } from '../../src/certificate/debate-score.ts'
import {
  agentNames,
  labelsOf,
  type ReadDebate,
  type ReadDebates,
  readDebates,
} from '../../src/certificate/read-debates.ts'
import { evaluateSplit } from '../../src/evaluation/evaluate-split.ts'
import { halves } from '../../src/knn/split-halves.ts'
import { policyNamed } from '../../src/policies/all-policies.ts'
import { fitScore } from '../../src/scores/score.ts'
import { budgetOf } from '../policies/spoken-debates.ts'
import { simulatedDebates } from './simulated-debates.ts'

vi.mock(import('../../src/scores/score.ts'), async (original) => {
  const real = await original()
  return { ...real, fitScore: vi.fn(real.fitScore) }
})
beforeEach(() => void vi.mocked(fitScore).mockClear())

const { debates, reading } = readDebates(simulatedDebates({ count: 240, seed: 5, groups: ['law', 'art'] }))
const even = debates.map((_, row) => row).filter((row) => row % 2 === 0)
const odd = debates.map((_, row) => row).filter((row) => row % 2 === 1)

function rowsOf(from: ReadDebates['debates'], pilot: readonly number[], seed = 7) {
  const correct = Uint8Array.from(from.flatMap((debate, row) => labelsOf(debate, 'test', `${row}`)))
  const agents = [0, 1, 2].map((round) => agentNames(from, round))
  return { debates: from, rounds: 3, correct, agents, questions: null, pilot, seed, folds: null }
}

test('asked again with the same rows it is the same score', () => {
  const fitted = fitDebateScore(rowsOf(debates, even))
  expect(fitDebateScore(rowsOf(debates, [...even]))).toBe(fitted)
  expect(fitScore).toHaveBeenCalledTimes(1)
})

test('another pilot, seed, fold, question or array of debates has a score of its own', () => {
  const own = [...debates]
  const folds = Uint8Array.from(even, (_, at) => at % 5)
  const questions = own.map((_, row) => `q${row >> 2}`)
  const asked = [
    rowsOf(own, even),
    rowsOf(own, odd),
    rowsOf(own, even, 8),
    { ...rowsOf(own, even, 8), questions },
    { ...rowsOf(own, even, 8), folds },
    { ...rowsOf(own, even, 8), folds: folds.toReversed() },
    rowsOf(own.toReversed(), even),
  ]
  for (const rows of asked) fitDebateScore(rows)
  expect(fitScore).toHaveBeenCalledTimes(asked.length)
})

test('a refilled array is read again', () => {
  const reused: ReadDebate[] = debates.slice(0, 60)
  const pilot = reused.map((_, row) => row)
  const first = fitDebateScore(rowsOf(reused, pilot))
  reused.splice(0, 60, ...debates.slice(60, 120))
  expect(fitDebateScore(rowsOf(reused, pilot))).not.toBe(first)
})

test('a split fits it once for total, learn-then-test and risk control, whatever the number of budgets', () => {
  const ids = debates.map(({ record }) => record.id)
  const task = {
    policies: (['total', 'conformal-risk-learned', 'learn-then-test'] as const).map(policyNamed),
    budgets: [0.05, 0.1, 0.2, 0.3].map((beta) => budgetOf(beta)),
    questionOf: (id: string) => id,
    seed: 7,
  }
  evaluateSplit({ reading, debates }, halves(ids, 7), task)
  expect(fitScore).toHaveBeenCalledTimes(1)
})

test('another budget of one certificate fits nothing', () => {
  const certificate = calibrate({ reading, debates }, { profile: 'total', budget: budgetOf(0.1) })
  for (const beta of [0.05, 0.2, 0.3]) certificate.withBudget(budgetOf(beta))
  expect(fitScore).toHaveBeenCalledTimes(1)
})
