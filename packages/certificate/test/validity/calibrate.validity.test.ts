import { describe, expect, test } from 'vitest'
import type { Debate } from '../../src/beliefs/debate.ts'
import { calibrate } from '../../src/certificate/calibrate.ts'
import { decide } from '../../src/decision/decide.ts'
import { type Random, seededRandom } from '../../src/random.ts'
import { allowed, type FailureRate, failureRate, inWords } from './failure-rate.ts'

/**
 * The product's whole way, from votes through the learned score to the decision: P(act and wrong) <= beta under
 * independent rows alone. Three agents, two options, two rounds: 64 ways a debate can go, each with a known chance that
 * option A is right.
 */
const BUDGET = { beta: 0.2, delta: 0.1, epsilon: 0 }
const SETS = 2000
const QUERIES = 20
const ROWS = 250

/** Votes for A in round 1 and in round 2. */
type Truth = (first: number, second: number) => number

/** P(A is right) by the votes; mirrored for B. */
const TRUTHS: Readonly<Record<string, Truth>> = {
  'agreement at once is strong': (first, second) =>
    mirrored(first, second, (early, late) => (early === 3 ? 0.96 : 0.45 + 0.15 * late)),
  'late agreement is weak': (first, second) =>
    mirrored(first, second, (early, late) => (late < 3 ? 0.55 : early === 3 ? 0.97 : 0.7)),
  'votes say nothing': () => 0.5,
  'a dip: unanimous twice is wrong': (first, second) =>
    mirrored(first, second, (early, late) => (early === 3 && late === 3 ? 0.6 : 0.93)),
  'just at the line': (first, second) => mirrored(first, second, () => 0.9),
}

describe('calibrate with profile cells keeps P(act and wrong) within beta', () => {
  test.each(Object.keys(TRUTHS))('%s', (name) => {
    const { harm } = simulate(TRUTHS[name]!)
    expect(harm.rate, inWords(harm)).toBeLessThanOrEqual(allowed(BUDGET.beta, harm))
  })

  test('and is not kept by never acting: early agreement is acted on', () => {
    const { acted } = simulate(TRUTHS['agreement at once is strong']!, 100)
    expect(acted).toBeGreaterThan(0.2)
  })

  test('a companion that must fail: always acting', () => {
    const { harm } = simulate(TRUTHS['votes say nothing']!, 100, true)
    expect(harm.rate, inWords(harm)).toBeGreaterThan(allowed(BUDGET.beta, harm))
  })
})

function simulate(truth: Truth, sets = SETS, alwaysActs = false): { harm: FailureRate; acted: number } {
  const random = seededRandom(13)
  const harms: number[] = []
  let acted = 0
  for (let set = 0; set < sets; set++) {
    const debates = Array.from({ length: ROWS }, (_, row) => drawDebate(`row-${row}`, truth, random).debate)
    const certificate = calibrate(debates, {
      profile: 'cells',
      budget: BUDGET,
      split: { pilotFraction: 0.3, seed: set },
    })
    let harm = 0
    for (let asked = 0; asked < QUERIES; asked++) {
      const { debate, chanceOfA } = drawDebate('fresh', truth, random)
      const decision = decide(certificate, debate)
      if (decision.kind === 'act') acted++
      if (decision.kind === 'act') harm += decision.answer === 'A' ? 1 - chanceOfA : chanceOfA
      else if (alwaysActs) harm += 0.5
    }
    harms.push(harm)
  }
  return { harm: failureRate(harms, QUERIES), acted: acted / (sets * QUERIES) }
}

function drawDebate(id: string, truth: Truth, random: Random): { debate: Debate; chanceOfA: number } {
  // Panels lean to one side and follow each other, so that agreement is common, as it is in practice.
  const lean = random() < 0.5 ? 0.85 : 0.15
  const first = drawVotes(lean, random)
  const second = drawVotes(first >= 2 ? 0.9 : 0.1, random)
  const chanceOfA = truth(first, second)
  const gold = random() < chanceOfA ? 'A' : 'B'
  const rounds = [first, second].map((votesForA) =>
    ['x', 'y', 'z'].map((agent, seat) => ({ agent, answer: seat < votesForA ? 'A' : 'B' })),
  )
  return { debate: { id, options: ['A', 'B'], gold, rounds }, chanceOfA }
}

function drawVotes(chance: number, random: Random): number {
  return [0, 1, 2].filter(() => random() < chance).length
}

/** `strength` sees votes for the final majority; for a final majority of B the answer is turned round. */
function mirrored(first: number, second: number, strength: (early: number, late: number) => number): number {
  return second >= 2 ? strength(first, second) : 1 - strength(3 - first, 3 - second)
}
