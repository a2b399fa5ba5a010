import { describe, expect, test } from 'vitest'
import { readDebates } from '../../src/certificate/read-debates.ts'
import { paperPolicy } from '../../src/policies/certificate-policy.ts'
import { majorityFinalPolicy, oraclePolicy } from '../../src/policies/fixed-rules.ts'
import type { Policy } from '../../src/policies/policy.ts'
import { mostActing, selectRelativeBudget } from '../../src/policies/relative-budget.ts'
import { learnedStopperPolicy, selectivePredictionPolicy } from '../../src/policies/score-baselines.ts'
import { permutation, seededRandom } from '../../src/random.ts'
import { simulatedDebates } from '../certificate/simulated-debates.ts'
import { fitted } from './fitted.ts'
import { spokenDebate } from './spoken-debates.ts'

const SEED = 7
const choices = (policy: Policy) => ({ seed: SEED, policy, delta: 0.03, epsilon: 0.02 })
const simulated = readDebates(simulatedDebates({ count: 900, seed: 71 }))

/** `wrong` of ten debates of one round, by their place in the order of the sub-split: 0 to 4 calibrate. */
function tenWith(wrong: readonly number[]) {
  const order = [...permutation(10, seededRandom(SEED + 100))]
  return readDebates(
    Array.from({ length: 10 }, (_, row) =>
      spokenDebate(`${row}`, wrong.includes(order.indexOf(row)) ? 'C' : 'A', ['A', 0.8]),
    ),
  )
}

describe('by hand', () => {
  // Error of the calibrating half 2/5, of the other 1/5, of all 3/10.
  const train = tenWith([0, 1, 5])

  test('a rule that always acts needs beta >= .2 / limit: the smallest multiple that allows it is taken', () => {
    const found = selectRelativeBudget(train, { ...choices(majorityFinalPolicy), limit: 0.25 })
    // lambda .4 >= .8 from 2 on; beyond 2.25 beta is over .99. beta = 2 x .3.
    expect(found).toMatchObject({ kind: 'selected', lambda: 2, beta: expect.closeTo(0.6, 12) })
    expect(found.sweep.map(({ lambda }) => lambda)).toEqual([0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.25])
    expect(found.sweep[0]).toEqual({
      lambda: 0.25,
      beta: expect.closeTo(0.1, 12),
      act: 1,
      budgetUsed: expect.closeTo(2, 12),
    })
  })

  test('at the limit of .10 that rule is deferred', () => {
    expect(selectRelativeBudget(train, choices(majorityFinalPolicy)).kind).toBe('defer')
  })

  test('equal action goes to the smallest multiple', () => {
    expect(selectRelativeBudget(train, choices(oraclePolicy))).toMatchObject({ lambda: 0.25 })
  })

  test('a multiple that is a budget for the half but not for all is deferred', () => {
    // Half: 1/5, all: 6/10. lambda 2 makes .4 and 1.2.
    const found = selectRelativeBudget(tenWith([0, 5, 6, 7, 8, 9]), {
      ...choices(majorityFinalPolicy),
      lambdas: [2],
      limit: 3,
    })
    expect(found).toMatchObject({ kind: 'defer', sweep: [{ lambda: 2, act: 1 }] })
  })

  test('a panel that was never wrong has no budget relative to its error', () => {
    expect(selectRelativeBudget(tenWith([]), choices(oraclePolicy))).toEqual({ kind: 'defer', sweep: [] })
  })

  test('nothing to fit on is deferred', () => {
    expect(selectRelativeBudget(readDebates([]), choices(paperPolicy))).toEqual({ kind: 'defer', sweep: [] })
    const one = readDebates([spokenDebate('1', 'A', ['A', 0.8])])
    expect(selectRelativeBudget(one, choices(oraclePolicy))).toEqual({ kind: 'defer', sweep: [] })
    // Labels of one class among those that calibrate.
    expect(selectRelativeBudget(tenWith([7]), choices(learnedStopperPolicy))).toEqual({ kind: 'defer', sweep: [] })
  })
})

test('runs of one question stay in one half, whatever the seed', () => {
  const runs = readDebates(
    ['easy', 'hard', 'odd', 'even'].flatMap((question) =>
      Array.from({ length: 3 }, (_, run) => spokenDebate(`${question}#${run}`, run === 0 ? 'C' : 'A', ['A', 0.8])),
    ),
  )
  const questionOf = (id: string) => id.split('#')[0]!
  for (const seed of [1, 2, 3, 2 ** 32 - 1]) {
    const seen: string[][] = []
    const watched: Policy = {
      ...majorityFinalPolicy,
      fit(train, options) {
        seen.push(train.debates.map(({ record }) => record.id))
        return majorityFinalPolicy.fit(train, options)
      },
    }
    selectRelativeBudget(runs, { ...choices(watched), seed, questionOf })
    expect(seen).toHaveLength(1)
    // Two whole questions of the four.
    expect(seen[0]).toHaveLength(6)
    expect(new Set(seen[0]!.map(questionOf)).size).toBe(2)
  }
})

describe.each([selectivePredictionPolicy, paperPolicy])('$name on simulated debates', (policy) => {
  test('does what the appendix says, step by step', () => {
    const order = permutation(900, seededRandom(SEED + 100))
    const pick = (rows: Uint32Array) => [...rows].map((row) => simulated.debates[row]!)
    const [one, two] = [pick(order.subarray(0, 450)), pick(order.subarray(450))]
    const isRight = (debate: (typeof one)[0], round: number) =>
      debate.rounds[round - 1]!.prediction === debate.record.gold
    const error = (debates: typeof one) => 1 - debates.filter((debate) => isRight(debate, 3)).length / debates.length
    const found = fitted(policy, { ...simulated, debates: one }, { seed: SEED })
    const expected = []
    for (let lambda = 0.25; lambda <= 5; lambda += 0.25) {
      const beta = lambda * error(one)
      if (beta > 0.99) continue
      const tuned = found.at({ beta, delta: 0.03, epsilon: 0.02 })
      const rounds = two.map((debate) => [1, 2, 3].find((round) => tuned.actsAt(debate, round)) ?? 0)
      const wrong = rounds.filter((round, row) => round > 0 && !isRight(two[row]!, round)).length
      const act = rounds.filter((round) => round > 0).length / 450
      expected.push({
        lambda,
        beta: expect.closeTo(beta, 12),
        act: expect.closeTo(act, 12),
        budgetUsed: expect.closeTo(wrong / 450 / beta, 12),
      })
    }
    for (const limit of [0.1, 0.5, 0.9]) {
      const chosen = selectRelativeBudget(simulated, { ...choices(policy), limit })
      expect(chosen.sweep).toEqual(expected)
      const allowed = chosen.sweep.filter(({ act, budgetUsed }) => act > 0 && budgetUsed <= limit)
      const most = Math.max(...allowed.map(({ act }) => act))
      const best = allowed.find(({ act }) => act === most)
      if (best === undefined) expect(chosen.kind).toBe('defer')
      else {
        const beta = expect.closeTo(best.lambda * error([...simulated.debates]), 12)
        expect(chosen).toMatchObject({ kind: 'selected', lambda: best.lambda, beta })
      }
    }
  })
})

test('multiples that act equally: the smaller unless the larger is asked for, never one above the limit', () => {
  const at = (lambda: number, act: number, budgetUsed: number) => ({ lambda, beta: 0.1 * lambda, act, budgetUsed })
  const sweep = [at(1, 0, 0), at(2, 0.5, 0.05), at(3, 0.5, 0.04), at(4, 0.5, 0.2), at(5, 0.4, 0.01)]
  expect(mostActing(sweep, {})?.lambda).toBe(2)
  expect(mostActing(sweep, { ties: 'larger' })?.lambda).toBe(3)
  expect(mostActing(sweep, { ties: 'larger', limit: 0.3 })?.lambda).toBe(4)
  expect(mostActing([at(1, 0, 0)], { ties: 'larger' })).toBeNull()
})
