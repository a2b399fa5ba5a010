import { describe, expect, test } from 'vitest'
import type { Debate } from '../../src/beliefs/debate.ts'
import { readDebates } from '../../src/certificate/read-debates.ts'
import {
  consensusPolicy,
  majorityFinalPolicy,
  majorityFirstPolicy,
  oraclePolicy,
} from '../../src/policies/fixed-rules.ts'
import type { Policy } from '../../src/policies/policy.ts'
import { confidenceThresholdPolicy } from '../../src/policies/score-baselines.ts'
import { fitted } from './fitted.ts'
import { budgetOf, spokenDebate, tenDebates } from './spoken-debates.ts'

/** Votes of three agents, one string per round; `-` abstains. */
function voted(id: string, gold: string | null, ...rounds: readonly string[]): Debate {
  return {
    id,
    options: ['A', 'B'],
    gold,
    rounds: rounds.map((votes) =>
      [...votes].map((vote, at) => ({ agent: `${at}`, answer: vote === '-' ? null : vote })),
    ),
  }
}

const train = readDebates([voted('t', 'A', 'AAA', 'AAA', 'AAA')])
const debates = readDebates([
  voted('agreed at once', 'A', 'AAA', 'BBB', 'AAA'),
  voted('agreed late', 'B', 'AAB', 'ABB', 'BBB'),
  voted('an abstention is no agreement', 'A', 'AA-', '---', 'A-A'),
  voted('never', 'B', 'AAB', 'AAB', 'AAB'),
])

function actions(policy: Policy, stored = debates) {
  const { actedAt, ...tuning } = fitted(policy, train).replay(stored).at(budgetOf(0.1))
  return { actedAt: [...actedAt], tuning }
}

const UNTUNED = { delta: null, epsilon: null, threshold: null }

describe('consensus', () => {
  test('acts when all agents vote for one option', () => {
    expect(actions(consensusPolicy)).toEqual({ actedAt: [1, 3, 0, 0], tuning: UNTUNED })
  })

  test('asks for votes, not for beliefs: sure agents that name different options do not agree', () => {
    const turns = [
      { agent: '0', answer: 'A', beliefs: { A: 0.9, B: 0.1 } },
      { agent: '1', answer: 'B', beliefs: { A: 0.9, B: 0.1 } },
    ]
    const stored = readDebates([{ id: 's', options: ['A', 'B'], gold: 'A', rounds: [turns, turns, turns] }])
    expect(actions(consensusPolicy, stored).actedAt).toEqual([0])
  })
})

test('majority-final acts on everything after the last round', () => {
  expect(actions(majorityFinalPolicy)).toEqual({ actedAt: [3, 3, 3, 3], tuning: UNTUNED })
})

test('majority-first acts on everything after the first', () => {
  expect(actions(majorityFirstPolicy)).toEqual({ actedAt: [1, 1, 1, 1], tuning: UNTUNED })
})

describe('oracle', () => {
  test('acts at the first right answer and defers where there is none', () => {
    expect(actions(oraclePolicy)).toEqual({ actedAt: [1, 2, 1, 0], tuning: UNTUNED })
  })

  test('cannot decide an unlabelled debate', () => {
    const stored = readDebates([voted('unknown', null, 'AAA', 'AAA', 'AAA')])
    expect(() => actions(oraclePolicy, stored)).toThrow('the right option')
  })
})

describe('confidence-threshold', () => {
  test('acts from .90 on, whatever the budget', () => {
    const policy = fitted(confidenceThresholdPolicy, tenDebates())
    const stored = readDebates([
      spokenDebate('just', null, ['A', 0.9], ['A', 0.5]),
      spokenDebate('just not', null, ['A', 0.8999], ['A', 0.95]),
      spokenDebate('never', null, ['A', 0.89], ['B', 0.89]),
    ])
    const { actedAt, ...tuning } = policy.replay(stored).at(budgetOf(0.01))
    expect([...actedAt]).toEqual([1, 2, 0])
    expect(tuning).toEqual({ delta: null, epsilon: null, threshold: 0.9 })
  })

  test('.9 as a mean of three beliefs is .9', () => {
    const sure = [0.8, 0.95, 0.95].map((belief, at) => ({
      agent: `${at}`,
      answer: 'A',
      beliefs: { A: belief, B: 1 - belief },
    }))
    const stored = readDebates([{ id: 'mean', options: ['A', 'B'], gold: 'A', rounds: [sure, sure, sure] }])
    expect(actions(confidenceThresholdPolicy, stored).actedAt).toEqual([1])
  })
})
