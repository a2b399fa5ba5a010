import { expect, test } from 'vitest'
import { readDebates } from '../../src/certificate/read-debates.ts'
import { type ScorePath, scorePolicy } from '../../src/policies/score-policy.ts'
import { budgetOf, spokenDebate } from './spoken-debates.ts'

const stored = readDebates([spokenDebate('a', null, ['A', 0.6], ['A', 0.6], ['A', 0.6])])

function actions(scores: ScorePath, threshold: number | null, rounds = 3) {
  const tune = () => ({ delta: null, epsilon: null, threshold })
  const policy = scorePolicy({ name: 'selective-prediction', rounds, scores, tune })
  const tuned = policy.at(budgetOf(0.1))
  const live = [1, 2, 3].find((round) => tuned.actsAt(stored.debates[0]!, round)) ?? 0
  return [policy.replay(stored).at(budgetOf(0.1)).actedAt[0], live]
}

test('acts at the first score at or above the threshold', () => {
  expect(actions(() => [0.6, 0.8, 0.9], 0.8)).toEqual([2, 2])
  expect(actions(() => [0.6, 0.8, 0.9], 0.61)).toEqual([2, 2])
  expect(actions(() => [0.6, 0.8, 0.9], 0.91)).toEqual([0, 0])
})

test('a quotient equals the decimal that it is meant to be', () => {
  expect(actions(() => [2 / 3], 0.666666666667)).toEqual([1, 1])
})

test('a missing score, or one that is not a number, never acts', () => {
  expect(actions(() => [Number.NaN, 0.5], 0.5)).toEqual([2, 2])
  expect(actions(() => [], 0.5)).toEqual([0, 0])
})

test('without a threshold it never acts', () => {
  expect(actions(() => [1, 1, 1], null)).toEqual([0, 0])
})

test('rounds beyond those of training are ignored', () => {
  expect(actions(() => [0.1, 0.2, 0.9], 0.5, 2)).toEqual([0, 0])
})
