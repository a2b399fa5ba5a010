import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDebates } from '../../src/certificate/read-debates.ts'
import { clopperPearsonInterval } from '../../src/concentration/clopper-pearson.ts'
import { evaluatedFile } from '../../src/evaluation/evaluated-file.ts'
import type { Evaluation, Figure } from '../../src/evaluation/evaluation.ts'
import { summarise } from '../../src/evaluation/summarise.ts'
import type { Protocol } from '../../src/evaluation/tally.ts'
import { tallySplit } from '../../src/evaluation/tally-split.ts'
import { halves } from '../../src/knn/split-halves.ts'
import type { Policy } from '../../src/policies/policy.ts'
import { debateOf, fixedPolicy, type Outcome, unfitPolicy } from './fixed-actions.ts'

const BETA = 0.15
const BUDGETS = [
  { beta: 0.3, delta: 0.05, epsilon: 0.02 },
  { beta: BETA, delta: 0.03, epsilon: 0.02 },
]
const ROUNDS = 3
const SEEDS = [7, 11, 13]

interface Acted extends Outcome {
  readonly actedAt: number
  /** First round of consensus, 0 for none. */
  readonly agreedAt: number
}

const outcomes: fc.Arbitrary<Acted[]> = fc
  .array(
    fc.record({
      group: fc.constantFrom('maths', 'law', null),
      right: fc.array(fc.boolean(), { minLength: ROUNDS, maxLength: ROUNDS }),
      agents: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: ROUNDS, maxLength: ROUNDS }),
      actedAt: fc.integer({ min: 0, max: ROUNDS }),
      agreedAt: fc.integer({ min: 0, max: ROUNDS }),
    }),
    { minLength: 2, maxLength: 25 },
  )
  .map((rows) => rows.map((row, index) => ({ id: `q${index}`, ...row })))

describe('every figure is its definition, counted debate by debate', () => {
  test.each<Protocol>(['debate', 'growing-panel'])('in the protocol %s', (protocol) => {
    fc.assert(
      fc.property(outcomes, (rows) => {
        const found = evaluated(rows, protocol)
        const tests = SEEDS.map((seed) => testRows(rows, seed))
        const [policy] = found.policies
        const act = (row: Acted) => Number(row.actedAt > 0)
        const wrong = (row: Acted) => Number(row.actedAt > 0 && !row.right[row.actedAt - 1])
        const rounds = (row: Acted) => row.actedAt || ROUNDS
        const half = Math.round(mean(tests.map((rows) => rows.length)))
        expectFigure(policy!.act, tests.map(meanBy(act)), half)
        expectFigure(policy!.wrongActions, tests.map(meanBy(wrong)), half)
        expectFigure(
          policy!.budgetUsed,
          tests.map((rows) => meanBy(wrong)(rows) / BETA),
          null,
        )
        expectFigure(policy!.roundsUsed, tests.map(meanBy(rounds)), null)
        expectFigure(policy!.calls, tests.map(meanBy((row) => callsBy(row, rounds(row), protocol))), null)
        const actions = tests.map((rows) => rows.filter(act))
        const acting = actions.filter(({ length }) => length > 0)
        const asked = Math.max(1, Math.round(mean(actions.map(({ length }) => length))))
        expectFigure(policy!.accuracy, acting.map(meanBy((row) => 1 - wrong(row))), asked)
        expectFigure(policy!.stoppingRound, acting.map(meanBy((row) => row.actedAt)), null)
        expect(policy!.worstBudgetUsed).toBe(policy!.budgetUsed.max)
        expect(policy!.threshold).toBeCloseTo(0.9, 12)
        expect(policy!).toMatchObject({ delta: 0.03, epsilon: null })
      }),
    )
  })

  test('by round, pooled over splits with the interval of one', () => {
    fc.assert(
      fc.property(outcomes, (rows) => {
        const pooled = SEEDS.flatMap((seed) => testRows(rows, seed))
        for (const { round, acted, accuracy, low, high } of evaluated(rows).policies[0]!.perRound) {
          const actions = pooled.filter(({ actedAt }) => actedAt === round)
          expect(acted).toBe(actions.length)
          if (acted === 0) {
            expect({ accuracy, low, high }).toEqual({ accuracy: null, low: null, high: null })
            continue
          }
          expect(accuracy).toBeCloseTo(meanBy(({ right }: Acted) => Number(right[round - 1]))(actions), 12)
          const count = Math.round(acted / SEEDS.length)
          const interval = count === 0 ? null : clopperPearsonInterval(Math.round(accuracy! * count), count, 0.95)
          expect([low, high]).toEqual([interval?.lower ?? null, interval?.upper ?? null])
        }
      }),
    )
  })

  test('by group, over the splits that test it; debates without a group are in none', () => {
    fc.assert(
      fc.property(outcomes, (rows) => {
        const { perGroup } = evaluated(rows).policies[0]!
        for (const name of ['law', 'maths']) {
          const tests = SEEDS.map((seed) => testRows(rows, seed).filter(({ group }) => group === name))
          const tested = tests.filter(({ length }) => length > 0)
          const found = perGroup.find(({ group }) => group === name)
          expect(found === undefined).toBe(tested.length === 0)
          if (found === undefined) continue
          expect(found.n).toBe(rows.filter(({ group }) => group === name).length)
          const size = Math.max(1, Math.round(mean(tested.map(({ length }) => length))))
          expectFigure(found.act, tested.map(meanBy(({ actedAt }) => Number(actedAt > 0))), size)
        }
        expect(perGroup.map(({ group }) => group)).not.toContain(null)
      }),
    )
  })

  test('and compute-matched rows stand at the cap with the nearest calls, the smaller of two', () => {
    fc.assert(
      fc.property(outcomes, (rows) => {
        const { computeMatched, policies } = evaluated(rows)
        const tests = SEEDS.map((seed) => testRows(rows, seed))
        const callsAt = (cap: number, agreed: (row: Acted) => number) =>
          mean(tests.map(meanBy((row) => callsBy(row, Math.min(agreed(row) || cap, cap), 'debate'))))
        const ours = policies[0]!.calls.mean
        const nearest = (agreed: (row: Acted) => number) =>
          [1, 2, 3].reduce((near, cap) =>
            Math.abs(callsAt(cap, agreed) - ours) < Math.abs(callsAt(near, agreed) - ours) - 1e-9 ? cap : near,
          )
        const [majority, consensus] = computeMatched
        expect(majority).toMatchObject({ name: 'majority-final', cap: nearest(() => 0), act: { mean: 1 } })
        expect(consensus).toMatchObject({ name: 'consensus', cap: nearest(({ agreedAt }) => agreedAt) })
        const { cap } = consensus!
        expectFigure(
          consensus!.act,
          tests.map(meanBy(({ agreedAt }) => Number(agreedAt > 0 && agreedAt <= cap))),
          Math.round(mean(tests.map((rows) => rows.length))),
        )
      }),
    )
  })
})

describe('a case computed by hand', () => {
  const rows: Acted[] = [
    { id: 'q0', group: null, right: [true, true, true], agents: [3, 3, 3], actedAt: 1, agreedAt: 1 },
    { id: 'q1', group: null, right: [false, false, false], agents: [3, 3, 3], actedAt: 2, agreedAt: 0 },
    { id: 'q2', group: null, right: [true, true, true], agents: [3, 3, 3], actedAt: 1, agreedAt: 1 },
    { id: 'q3', group: null, right: [false, false, false], agents: [3, 3, 3], actedAt: 2, agreedAt: 0 },
  ]

  test('one right in round 1 and one wrong in round 2', () => {
    const read = readDebates(rows.map(debateOf))
    const split = tallySplit(read, { train: Uint32Array.of(0, 1), test: Uint32Array.of(2, 3) }, task(rows, 7))
    const [policy] = summarise([split], evaluatedFile(read), { beta: 0.5, place: 1 }).policies
    expect(policy).toMatchObject({
      act: { mean: 1, min: 1, max: 1, high: 1 },
      accuracy: { mean: 0.5 },
      wrongActions: { mean: 0.5 },
      budgetUsed: { mean: 1, low: null, high: null },
      roundsUsed: { mean: 1.5 },
      stoppingRound: { mean: 1.5 },
      calls: { mean: 4.5 },
      worstBudgetUsed: 1,
      perGroup: [],
    })
    // BetaInv(.025; 2, 1) = sqrt(.025), by hand.
    expect(policy!.act.low).toBeCloseTo(Math.sqrt(0.025), 12)
    expect(policy!.perRound.map(({ acted, accuracy }) => [acted, accuracy])).toEqual([
      [1, 1],
      [1, 0],
      [0, null],
    ])
  })
})

describe('a policy that cannot be fitted', () => {
  const rows = Array.from(
    { length: 6 },
    (_, index): Acted => ({
      id: `q${index}`,
      group: null,
      right: [true, true, true],
      agents: [2, 2, 2],
      actedAt: 1,
      agreedAt: 1,
    }),
  )

  test('is listed with its reason and without figures, in how many splits where not in all', () => {
    const read = readDebates(rows.map(debateOf))
    const once = unfitPolicy('tight', 'no labels')
    const split = (seed: number, policies: readonly Policy[]) =>
      tallySplit(read, halves(ids(rows), seed), { ...task(rows, seed), policies })
    const fitted = fixedPolicy('tight', new Map())
    const all = summarise([split(7, [once]), split(11, [once])], evaluatedFile(read), { beta: 0.1, place: 0 })
    const some = summarise([split(7, [fitted]), split(11, [once])], evaluatedFile(read), { beta: 0.1, place: 0 })
    expect(all.skipped).toEqual([{ name: 'tight', reason: 'no labels' }])
    expect(some.skipped).toEqual([{ name: 'tight', reason: 'no labels (in 1 of 2 splits)' }])
    expect([all.policies, some.policies, all.computeMatched]).toEqual([[], [], []])
  })

  test('leaves one that never acts with figures that are absent, not zero', () => {
    const read = readDebates(rows.map(debateOf))
    const split = tallySplit(read, halves(ids(rows), 7), {
      ...task(rows, 7),
      policies: [fixedPolicy('cells', new Map())],
    })
    const [policy] = summarise([split], evaluatedFile(read), { beta: 0.1, place: 0 }).policies
    expect(policy).toMatchObject({ act: { mean: 0 }, accuracy: null, stoppingRound: null, roundsUsed: { mean: 3 } })
  })
})

function evaluated(rows: readonly Acted[], protocol: Protocol = 'debate'): Evaluation {
  const read = readDebates(rows.map(debateOf))
  const splits = SEEDS.map((seed) => tallySplit(read, halves(ids(rows), seed), { ...task(rows, seed), protocol }))
  return summarise(splits, evaluatedFile(read), { beta: BETA, place: 1 })
}

function task(rows: readonly Acted[], seed: number) {
  return {
    policies: [fixedPolicy('cells', new Map(rows.map(({ id, actedAt }) => [id, actedAt])))],
    consensus: fixedPolicy('consensus', new Map(rows.map(({ id, agreedAt }) => [id, agreedAt]))),
    budgets: BUDGETS,
    protocol: 'debate' as const,
    seed,
  }
}

function ids(rows: readonly Acted[]): string[] {
  return rows.map(({ id }) => id)
}

function testRows(rows: readonly Acted[], seed: number): Acted[] {
  return Array.from(halves(ids(rows), seed).test, (row) => rows[row]!)
}

function callsBy({ agents }: Acted, round: number, protocol: Protocol): number {
  return protocol === 'debate' ? agents.slice(0, round).reduce((sum, count) => sum + count, 0) : agents[round - 1]!
}

function expectFigure(found: Figure | null, values: readonly number[], count: number | null): void {
  expect(found === null).toBe(values.length === 0)
  if (found === null) return
  expect(found.mean).toBeCloseTo(mean(values), 12)
  expect(found.min).toBeCloseTo(Math.min(...values), 12)
  expect(found.max).toBeCloseTo(Math.max(...values), 12)
  const interval = count === null ? null : clopperPearsonInterval(Math.round(found.mean * count), count, 0.95)
  expect([found.low, found.high]).toEqual([interval?.lower ?? null, interval?.upper ?? null])
}

function meanBy(part: (row: Acted) => number): (rows: readonly Acted[]) => number {
  return (rows) => mean(rows.map(part))
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
