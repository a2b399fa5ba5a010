import { expect, test } from 'vitest'
import { readDebates } from '../../src/certificate/read-debates.ts'
import { learnedStopperPolicy } from '../../src/policies/score-baselines.ts'
import { readReference } from '../reference/read-reference.ts'
import { fitted } from './fitted.ts'
import { budgetOf, spokenDebate } from './spoken-debates.ts'

interface Recorded {
  readonly p1: readonly number[]
  readonly right: readonly number[]
  readonly asked: readonly number[]
  readonly probabilities: readonly number[]
}

const recorded: Recorded = readReference('policies.json').stopper
const debatesOf = (p1: readonly number[], right: readonly number[]) =>
  readDebates(p1.map((belief, row) => spokenDebate(`${row}`, right[row] === 1 ? 'A' : 'C', ['A', belief])))

test("acts where scikit-learn's regression says right more likely than wrong, whatever the budget", () => {
  // At a belief of .5 the options tie and the prediction is a coin; the state is the same.
  const train = debatesOf(recorded.p1, recorded.right)
  const asked = debatesOf(recorded.asked, [])
  const replay = fitted(learnedStopperPolicy, train).replay(asked)
  const expected = recorded.probabilities.map((probability) => (probability >= 0.5 ? 1 : 0))
  for (const beta of [0.01, 0.5]) {
    const { actedAt, ...tuning } = replay.at(budgetOf(beta))
    expect([...actedAt]).toEqual(expected)
    expect(tuning).toEqual({ delta: null, epsilon: null, threshold: 0.5 })
  }
  expect(new Set(expected).size).toBe(2)
})

test('cannot learn from answers of one kind', () => {
  const found = learnedStopperPolicy.fit(debatesOf([0.6, 0.7, 0.8], [1, 1, 1]), { seed: 7 })
  expect(found).toEqual({ kind: 'unfit', reason: expect.stringContaining('too few answers of both kinds') })
})
