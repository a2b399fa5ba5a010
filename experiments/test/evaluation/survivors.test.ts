import { type Debate, readDebates } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { hasRecordedData, readRecorded } from '../../src/data/recorded.ts'
import { survivorEffect } from '../../src/evaluation/survivors.ts'

describe.skipIf(!hasRecordedData)('survivors of dylan-mmlu-3agents', () => {
  const rounds = hasRecordedData ? survivorEffect(readDebates(readRecorded('dylan-mmlu-3agents'))) : []

  test('answers first unanimous in round 1, 2, 3 are right .81, .66, .50 of the time', () => {
    const accuracies = rounds.map(({ firstUnanimous }) => Math.round(100 * firstUnanimous.accuracy) / 100)
    expect(accuracies).toEqual([0.81, 0.66, 0.5])
  })

  test('the pool at the paper state hides it by far more than epsilon, with certainty', () => {
    for (const { unanimous, firstUnanimous } of rounds.slice(1)) {
      expect(unanimous.low - firstUnanimous.high).toBeGreaterThan(0.02)
    }
  })

  test('the shares of unanimous panels are those of the description', () => {
    expect(rounds.map(({ unanimous }) => Math.round((1000 * unanimous.count) / 2809) / 1000)).toEqual([
      0.569, 0.785, 0.887,
    ])
  })
})

test('an abstention is not unanimity', () => {
  const debate = (id: string, ...rounds: (string | null)[][]): Debate => ({
    id,
    options: ['A', 'B'],
    gold: 'A',
    rounds: rounds.map((answers) => answers.map((answer, agent) => ({ agent: `agent-${agent}`, answer }))),
  })
  const read = readDebates([
    debate('at once', ['A', 'A'], ['A', 'A']),
    debate('after an abstention', ['B', null], ['B', 'B']),
  ])
  const [first, second] = survivorEffect(read)
  expect(first?.firstUnanimous).toMatchObject({ count: 1, right: 1 })
  expect(second).toMatchObject({ unanimous: { count: 2, right: 1 }, firstUnanimous: { count: 1, right: 0 } })
})
