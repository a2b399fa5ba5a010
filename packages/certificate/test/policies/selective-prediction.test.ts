import { expect, test } from 'vitest'
import { readDebates } from '../../src/certificate/read-debates.ts'
import { selectivePredictionPolicy } from '../../src/policies/score-baselines.ts'
import { fitted } from './fitted.ts'
import { budgetOf, spokenDebate, tenDebates } from './spoken-debates.ts'

// The grid is (199 + i) / 398. The largest point up to .95 is 378 / 398, up to .70 it is 278 / 398, up to .55 218 / 398.
test.each([
  // One wrong of ten is too many, so 6 of 10 without any.
  { beta: 0.0999, threshold: 378 / 398 },
  // The same 6 would be possible with one wrong, but fewer are better.
  { beta: 0.1, threshold: 378 / 398 },
  // 9 of 10 with 2 wrong.
  { beta: 0.2, threshold: 278 / 398 },
  // 9 of 10 with 3 wrong is no more action than 9 with 2.
  { beta: 0.3, threshold: 278 / 398 },
  { beta: 0.4, threshold: 218 / 398 },
])('at beta $beta it acts most within the budget', ({ beta, threshold }) => {
  const tuned = fitted(selectivePredictionPolicy, tenDebates()).at(budgetOf(beta))
  expect(tuned.threshold).toBeCloseTo(threshold, 11)
  expect([tuned.delta, tuned.epsilon]).toEqual([null, null])
})

test('it acts at the first round that reaches the threshold', () => {
  const test = readDebates([
    spokenDebate('reaches it in round 2', null, ['A', 0.69], ['B', 0.7]),
    spokenDebate('at once', null, ['A', 0.7], ['B', 0.9]),
    spokenDebate('never', null, ['A', 0.6], ['A', 0.69]),
  ])
  const { actedAt } = fitted(selectivePredictionPolicy, tenDebates()).replay(test).at(budgetOf(0.2))
  expect([...actedAt]).toEqual([2, 1, 0])
})

test('it never acts when even certainty was wrong too often', () => {
  const train = readDebates([
    ...['1', '2', '3', '4'].map((id) => spokenDebate(id, 'A', ['A', 0.9])),
    spokenDebate('sure and wrong', 'B', ['A', 1]),
  ])
  const policy = fitted(selectivePredictionPolicy, train)
  expect(policy.at(budgetOf(0.19)).threshold).toBeNull()
  expect([...policy.replay(train).at(budgetOf(0.19)).actedAt]).toEqual([0, 0, 0, 0, 0])
  expect(policy.at(budgetOf(0.2)).threshold).toBeCloseTo(358 / 398, 11)
})
