import { type AuditOptions, audit, type CheckName, type Debate, readPanels } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { simulateKnownWorld } from '../../src/audits/known-worlds.ts'
import { simulateTwin } from '../../src/twins/simulate-twin.ts'

const SEEDS = Array.from({ length: 25 }, (_, index) => index + 1)
const ENOUGH = 20

/** How many audits falsify one of these checks. */
function caught(intended: readonly CheckName[], beta: number, simulate: (seed: number) => readonly Debate[]): number {
  return SEEDS.filter((seed) => {
    const options: AuditOptions = { profile: 'paper', budget: { beta, delta: 0.03, epsilon: 0.02 }, seed }
    const { checks } = audit(readPanels(simulate(seed)), options)
    return checks.some(({ name, verdict }) => verdict === 'falsified' && intended.includes(name))
  }).length
}

test('late agreement under the paper state is caught by the check of what the state forgets', () => {
  const simulate = (seed: number) => simulateTwin('bbh', { seed, beliefs: 'soft', lateAgreement: 0.4 })
  expect(caught(['representation-gap'], 0.3, simulate)).toBeGreaterThanOrEqual(ENOUGH)
})

test('a truth that alternates in narrow bands is caught by the check of smoothness', () => {
  const simulate = (seed: number) => simulateKnownWorld({ violation: 'rough', count: 4000, seed })
  expect(caught(['smoothness'], 0.25, simulate)).toBeGreaterThanOrEqual(ENOUGH)
})

test('a group that is right less often at the same state is caught by the check of groups', () => {
  const simulate = (seed: number) => simulateKnownWorld({ violation: 'shifted-groups', count: 4000, seed })
  expect(caught(['groups'], 0.28, simulate)).toBeGreaterThanOrEqual(ENOUGH)
})

test('questions that grow harder over the file are caught by the checks of arrival order', () => {
  const simulate = (seed: number) => simulateTwin('mmlu-pro', { seed, beliefs: 'soft', drift: 2.5, count: 2000 })
  const order = ['exchangeability-permutation', 'exchangeability-martingale'] as const
  expect(caught(order, 0.25, simulate)).toBeGreaterThanOrEqual(ENOUGH)
})
