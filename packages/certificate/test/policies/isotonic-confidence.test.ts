import { expect, test } from 'vitest'
import { readDebates } from '../../src/certificate/read-debates.ts'
import { isotonicConfidencePolicy } from '../../src/policies/score-baselines.ts'
import { fitted } from './fitted.ts'
import { budgetOf, spokenDebate } from './spoken-debates.ts'

// Two rounds. Rates at p1, both rounds pooled: .6: 2 of 4; .7: 1 of 4 (below .6, so pooled with it: 3 of 8); .8: 3 of 4;
// .9: 4 of 4. Scores: .375, .375, .75, 1.
const train = readDebates([
  spokenDebate('1', 'A', ['A', 0.6], ['A', 0.9]),
  spokenDebate('2', 'A', ['A', 0.6], ['A', 0.9]),
  spokenDebate('3', 'B', ['A', 0.6], ['B', 0.8]),
  spokenDebate('4', 'B', ['A', 0.6], ['B', 0.8]),
  spokenDebate('5', 'A', ['A', 0.7], ['A', 0.9]),
  spokenDebate('6', 'B', ['A', 0.7], ['B', 0.9]),
  spokenDebate('7', 'B', ['A', 0.7], ['B', 0.8]),
  spokenDebate('8', 'C', ['A', 0.7], ['A', 0.8]),
])

test.each([
  // 4 of 8 at a score of 1, none wrong.
  { beta: 0.12, threshold: 1, actedAt: [2, 2, 0, 0, 2, 2, 0, 0] },
  // All 8 at .75, one wrong; the largest point (199 + i) / 398 up to .75 is 298 / 398.
  { beta: 0.125, threshold: 298 / 398, actedAt: [2, 2, 2, 2, 2, 2, 2, 2] },
])('at beta $beta the threshold is on the recalibrated scale', ({ beta, threshold, actedAt }) => {
  const found = fitted(isotonicConfidencePolicy, train).replay(train).at(budgetOf(beta))
  expect(found.threshold).toBeCloseTo(threshold, 11)
  expect([...found.actedAt]).toEqual(actedAt)
})

test('between two seen confidences the rate is read on the line between them', () => {
  // Half-way from .8 (.75) to .9 (1) it is .875: below a threshold of 1 and above 298 / 398.
  const between = readDebates([spokenDebate('new', null, ['A', 0.85], ['A', 0.85])])
  const replay = fitted(isotonicConfidencePolicy, train).replay(between)
  expect([...replay.at(budgetOf(0.12)).actedAt, ...replay.at(budgetOf(0.125)).actedAt]).toEqual([0, 1])
})
