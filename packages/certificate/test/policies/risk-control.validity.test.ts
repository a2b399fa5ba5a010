import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { conformalRiskControlPolicy, conformalRiskLearnedPolicy } from '../../src/policies/conformal-risk-control.ts'
import { learnThenTestPolicy } from '../../src/policies/learn-then-test.ts'
import type { Policy } from '../../src/policies/policy.ts'
import { selectivePredictionPolicy } from '../../src/policies/score-baselines.ts'
import { socialChoicePolicy } from '../../src/policies/social-choice.ts'
import { seededRandom } from '../../src/random.ts'
import { allowed, failureRate, inWords } from '../validity/failure-rate.ts'
import { fitted } from './fitted.ts'
import { type SmallWorld, smallWorld } from './small-world.ts'

interface Trial {
  readonly world: SmallWorld
  /** Training debates in each set, and sets. */
  readonly count: number
  readonly sets: number
  readonly beta: number
  readonly delta: number
}

/** True wrong-action rates of the policy over training sets. */
function realised(policy: Policy, { world, count, sets, beta, delta }: Trial): number[] {
  const random = seededRandom(81)
  return Array.from({ length: sets }, (_, seed) => {
    const train = world.draw(count, random)
    return world.wrongActions(
      fitted(policy, train, { seed }).at({ beta, delta, epsilon: 0, total: { delta: delta / 0.6 } }),
    )
  })
}

const rateOf = (values: readonly number[]) =>
  failureRate(
    values,
    values.map(() => 1),
  ) // one draw a set

describe('conformal risk control keeps its budget on average over training sets', () => {
  const one = { world: smallWorld(1, 50), count: 20, sets: sized({ short: 2000, full: 4000 }), beta: 0.1, delta: 0.03 }
  const two = { world: smallWorld(2, 8), count: 20, sets: sized({ short: 800, full: 1500 }), beta: 0.2, delta: 0.03 }

  test.each([
    { what: 'one round', trial: one },
    { what: 'two rounds, where the loss is not monotone', trial: two },
  ])('$what', ({ trial }) => {
    const found = rateOf(realised(conformalRiskControlPolicy, trial))
    expect(found.rate, inWords(found)).toBeLessThanOrEqual(allowed(trial.beta, found))
    // Acting on nothing would be no proof of validity.
    expect(found.rate).toBeGreaterThan(0.5 * trial.beta)
  })

  test.each([
    { policy: conformalRiskLearnedPolicy, trial: { ...one, count: 60, sets: sized({ short: 80, full: 600 }) } },
    { policy: conformalRiskLearnedPolicy, trial: { ...two, count: 60, sets: sized({ short: 50, full: 300 }) } },
    { policy: socialChoicePolicy, trial: one },
    { policy: socialChoicePolicy, trial: two },
  ])('$policy.name, beta $trial.beta', ({ policy, trial }) => {
    const found = rateOf(realised(policy, trial))
    expect(found.rate, inWords(found)).toBeLessThanOrEqual(allowed(trial.beta, found))
    expect(found.rate).toBeGreaterThan(0.3 * trial.beta)
  })

  test('the same tuning without the correction overspends', () => {
    const found = rateOf(realised(selectivePredictionPolicy, one))
    expect(found.rate, inWords(found)).toBeGreaterThan(allowed(one.beta, found))
  })
})

describe('learn then test exceeds the budget for at most delta of the training sets', () => {
  const one = { world: smallWorld(1, 50), count: 250, sets: sized({ short: 100, full: 800 }), beta: 0.2, delta: 0.1 }
  const two = { world: smallWorld(2, 8), count: 250, sets: sized({ short: 40, full: 300 }), beta: 0.2, delta: 0.1 }
  const exceeding = (rates: readonly number[], { beta }: Trial) => rateOf(rates.map((rate) => +(rate > beta)))

  test.each([
    { what: 'one round', trial: one },
    { what: 'two rounds', trial: two },
  ])('$what', ({ trial }) => {
    const rates = realised(learnThenTestPolicy, trial)
    const found = exceeding(rates, trial)
    expect(found.rate, inWords(found)).toBeLessThanOrEqual(allowed(trial.delta, found))
    expect(rateOf(rates).rate).toBeGreaterThan(0.5 * trial.beta)
  })

  test('the threshold that acts most in training exceeds it far more often', () => {
    const found = exceeding(realised(selectivePredictionPolicy, one), one)
    expect(found.rate, inWords(found)).toBeGreaterThan(allowed(one.delta, found))
  })
})
