import { describe, expect, test } from 'vitest'
import { type CalibrateOptions, calibrate } from '../../src/certificate/calibrate.ts'
import { replay } from '../../src/decision/replay.ts'
import { simulatedDebates } from './simulated-debates.ts'

const DEBATES = simulatedDebates({ count: 240, seed: 31, groups: ['law', 'science', null] })
const FRESH = simulatedDebates({ count: 200, seed: 32, groups: ['law', 'science', null, 'unseen'] })
const BETAS = [0.031, 0.04, 0.06, 0.09, 0.13, 0.2, 0.3, 0.5, 0.8]

function budgetOf(beta: number) {
  return { beta, delta: 0.03, epsilon: 0 }
}

const KINDS: readonly (readonly [string, Omit<CalibrateOptions, 'budget'>])[] = [
  ['path cells', { profile: 'cells' }],
  ['nominate cells', { profile: 'cells', cells: 'nominate' }],
  ['cells by group', { profile: 'cells', groupConditional: true }],
  ['tight', { profile: 'tight' }],
  ['tight without an envelope', { profile: 'tight', envelope: 'none', looks: 'family' }],
  ['tight by group', { profile: 'tight', groupConditional: true, groupLevel: 'simultaneous' }],
  ['paper', { profile: 'paper' }],
]

describe.each(KINDS)('%s', (_, options) => {
  test.each([5, 30, 240])('a certificate from %i debates that reports that it cannot act never does', (count) => {
    const certificate = calibrate(DEBATES.slice(0, count), { ...options, budget: budgetOf(0.2) })
    const replayed = replay(certificate, [...DEBATES, ...FRESH])
    for (const beta of BETAS) {
      const asked = certificate.withBudget(budgetOf(beta))
      const acted = replayed.at(budgetOf(beta)).actedAt.filter((round) => round > 0).length
      if (!asked.canAct()) expect([beta, acted]).toEqual([beta, 0])
    }
  })
})

test('cells say that they can act exactly where some debate lets them', () => {
  const answers = new Set<boolean>()
  for (const [, options] of KINDS.slice(0, 3)) {
    const certificate = calibrate(DEBATES, { ...options, budget: budgetOf(0.2) })
    const replayed = replay(certificate, DEBATES)
    for (const beta of BETAS) {
      const canAct = certificate.withBudget(budgetOf(beta)).canAct()
      answers.add(canAct)
      expect([beta, canAct]).toEqual([beta, replayed.at(budgetOf(beta)).actedAt.some((round) => round > 0)])
    }
  }
  expect(answers).toEqual(new Set([true, false]))
})

test.each(['cells', 'tight', 'paper'] as const)(
  '%s: ten labels cannot reach the line of a tenth, many can',
  (profile) => {
    const few = calibrate(DEBATES.slice(0, 10), { profile, budget: budgetOf(0.1) })
    expect([few.feasible, few.canAct()]).toEqual([true, false])
    expect(calibrate(DEBATES, { profile, budget: budgetOf(0.9) }).canAct()).toBe(true)
  },
)

test('a pilot that was always right teaches its rate alone, and the count decides', () => {
  const right = DEBATES.map((debate) => ({
    ...debate,
    rounds: debate.rounds.map((turns) => turns.map(({ agent }) => ({ agent, answer: debate.gold! }))),
  }))
  const certificate = calibrate(right, { profile: 'cells', budget: budgetOf(0.3) })
  expect(certificate.canAct()).toBe(true)
  expect(
    replay(certificate, right)
      .at(budgetOf(0.3))
      .actedAt.every((round) => round === 1),
  ).toBe(true)
})
