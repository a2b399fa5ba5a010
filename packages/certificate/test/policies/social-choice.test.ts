import { describe, expect, test } from 'vitest'
import type { Debate } from '../../src/beliefs/debate.ts'
import { readDebates } from '../../src/certificate/read-debates.ts'
import { conformalThreshold, socialChoicePolicy } from '../../src/policies/social-choice.ts'
import { readReference } from '../reference/read-reference.ts'
import { fitted } from './fitted.ts'
import { budgetOf, spokenDebate } from './spoken-debates.ts'

interface Recorded {
  readonly alpha: number
  readonly pooled: readonly (readonly number[])[]
  readonly gold: readonly number[]
  readonly asked: readonly (readonly number[])[]
  readonly qhat: number | null
  readonly acts: readonly boolean[]
}

const recorded: readonly Recorded[] = readReference('policies.json').socialChoice

function debateOf(id: string, social: readonly number[], gold: number | null): Debate {
  const options = social.map((_, option) => `option ${option}`)
  const beliefs = Object.fromEntries(social.map((probability, option) => [options[option]!, probability]))
  return {
    id,
    options,
    gold: gold === null ? null : options[gold]!,
    rounds: [[{ agent: 'pool', beliefs, answer: null }]],
  }
}

describe('split conformal prediction on the pooled probabilities', () => {
  test.each(recorded)('acts where the set of SciPy is one option, at alpha $alpha', (found) => {
    const { alpha, pooled, gold, asked, qhat, acts } = found
    const train = readDebates(pooled.map((social, at) => debateOf(`q${at}`, social, gold[at]!)))
    const stored = readDebates(asked.map((social, at) => debateOf(`new ${at}`, social, null)))
    const { threshold, actedAt, delta, epsilon } = fitted(socialChoicePolicy, train).replay(stored).at(budgetOf(alpha))
    if (qhat === null) expect(threshold).toBeNull()
    else expect(threshold).toBeCloseTo(1 - qhat, 11)
    expect([...actedAt]).toEqual(acts.map(Number))
    expect([delta, epsilon]).toEqual([null, null])
  })

  test('the rank is ceil((n + 1)(1 - alpha)), exactly where that is whole', () => {
    const ofTruth = Float64Array.of(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
    expect(conformalThreshold(ofTruth, 0.1)).toBe(0.1)
    expect(conformalThreshold(ofTruth, 0.2)).toBe(0.2)
    expect(conformalThreshold(ofTruth, 0.09)).toBeNull()
    expect(conformalThreshold(ofTruth.slice(1), 0.1)).toBeNull()
    expect(conformalThreshold(new Float64Array(0), 0.5)).toBeNull()
  })
})

test('it acts after the last round and on nothing else', () => {
  const train = readDebates(Array.from({ length: 40 }, (_, at) => spokenDebate(`q${at}`, 'A', ['A', 0.95], ['A', 0.9])))
  const stored = readDebates([
    spokenDebate('sure', null, ['A', 0.95], ['A', 0.95]),
    spokenDebate('unsure', null, ['A', 0.95], ['A', 0.6]),
  ])
  expect([...fitted(socialChoicePolicy, train).replay(stored).at(budgetOf(0.1)).actedAt]).toEqual([2, 0])
})

test('two options of equal probability are never a set of one', () => {
  const train = readDebates(Array.from({ length: 40 }, (_, at) => spokenDebate(`q${at}`, 'A', ['A', 0.5])))
  const stored = readDebates([spokenDebate('tie', null, ['A', 0.5]), spokenDebate('clear', null, ['A', 0.51])])
  expect([...fitted(socialChoicePolicy, train).replay(stored).at(budgetOf(0.1)).actedAt]).toEqual([0, 1])
})

test('runs of one question count once', () => {
  const runs = (id: string) => [0, 1, 2].map((run) => spokenDebate(`${id}#${run}`, 'A', ['A', 0.9]))
  const train = readDebates(['a', 'b', 'c'].flatMap(runs))
  // ceil((n + 1)(1 - alpha)) is within n from alpha = 1 / (n + 1) on: .25 with three questions, .1 with nine debates.
  const perQuestion = fitted(socialChoicePolicy, train, { questionOf: (id) => id.split('#')[0]! })
  expect(perQuestion.at(budgetOf(0.2)).threshold).toBeNull()
  expect(perQuestion.at(budgetOf(0.25)).threshold).toBe(0.9)
  expect(fitted(socialChoicePolicy, train).at(budgetOf(0.1)).threshold).toBe(0.9)
})
