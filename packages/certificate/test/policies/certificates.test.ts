import { describe, expect, test } from 'vitest'
import type { Debate } from '../../src/beliefs/debate.ts'
import { resolveProfileBudget } from '../../src/certificate/alpha-rule.ts'
import { type CalibrateOptions, calibrate } from '../../src/certificate/calibrate.ts'
import { readDebates } from '../../src/certificate/read-debates.ts'
import { decide } from '../../src/decision/decide.ts'
import { cellsPolicy, knnNoEnvelopePolicy, paperPolicy, tightPolicy } from '../../src/policies/certificate-policy.ts'
import type { Policy } from '../../src/policies/policy.ts'
import { simulatedDebates } from '../certificate/simulated-debates.ts'
import { fitted } from './fitted.ts'
import { budgetOf } from './spoken-debates.ts'

const groups = ['law', 'art']
const train = readDebates(simulatedDebates({ count: 2200, seed: 31, groups }))
const debates = simulatedDebates({ count: 120, seed: 32, groups })
const stored = readDebates(debates)

const CASES: readonly { policy: Policy; options: Pick<CalibrateOptions, 'profile' | 'envelope'>; epsilon: number }[] = [
  { policy: cellsPolicy, options: { profile: 'cells' }, epsilon: 0 },
  { policy: tightPolicy, options: { profile: 'tight' }, epsilon: 0.02 },
  { policy: paperPolicy, options: { profile: 'paper' }, epsilon: 0.02 },
  { policy: knnNoEnvelopePolicy, options: { profile: 'paper', envelope: 'none' }, epsilon: 0.02 },
]

describe.each(CASES)('$policy.name', ({ policy, options, epsilon }) => {
  test.each([
    { beta: 0.3, groupConditional: false },
    { beta: 0.4, groupConditional: false },
    { beta: 0.4, groupConditional: true },
  ])('acts where decide does at beta $beta, by group: $groupConditional', ({ beta, groupConditional }) => {
    const budget = budgetOf(beta)
    const split = { pilotFraction: 0.2, seed: 5 }
    const certificate = calibrate(train, { ...options, budget, split, groupConditional })
    const roundOf = (debate: Debate) => {
      const decision = decide(certificate, debate)
      return decision.kind === 'act' ? decision.round : 0
    }
    const { actedAt } = fitted(policy, train, { seed: 5, groupConditional }).replay(stored).at(budget)
    expect([...actedAt]).toEqual(debates.map(roundOf))
    if (beta === 0.4 && !groupConditional) expect(actedAt.some((round) => round > 0)).toBe(true)
  })

  test('reports delta, epsilon and the threshold 1 - alpha', () => {
    const policyAt = fitted(policy, train)
    const { threshold } = resolveProfileBudget('test', budgetOf(0.2), options.profile, 3)
    expect(policyAt.at(budgetOf(0.2))).toMatchObject({ delta: 0.03, epsilon, threshold: expect.closeTo(threshold, 12) })
    expect(policyAt.replay(stored).at(budgetOf(0.2))).toMatchObject({ delta: 0.03, epsilon })
  })

  test('has no threshold under an infeasible budget, and defers', () => {
    const policyAt = fitted(policy, train)
    const { actedAt, threshold } = policyAt.replay(stored).at(budgetOf(0.0009))
    expect(threshold).toBeNull()
    expect(Math.max(...actedAt)).toBe(0)
    expect(policyAt.at(budgetOf(0.0009)).actsAt(stored.debates[0]!, 1)).toBe(false)
  })

  test('with too few labels it is fitted and never acts', () => {
    const few = readDebates(simulatedDebates({ count: 12, seed: 33 }))
    const { actedAt } = fitted(policy, few).replay(stored).at(budgetOf(0.6))
    expect(Math.max(...actedAt)).toBe(0)
  })
})
