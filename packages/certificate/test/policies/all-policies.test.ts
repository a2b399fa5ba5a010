import { describe, expect, test } from 'vitest'
import type { Debate } from '../../src/beliefs/debate.ts'
import { type ReadDebate, type ReadDebates, readDebates } from '../../src/certificate/read-debates.ts'
import { CertificateError } from '../../src/certificate-error.ts'
import { POLICIES, policyNamed } from '../../src/policies/all-policies.ts'
import { type FittedPolicy, POLICY_NAMES, type TunedPolicy } from '../../src/policies/policy.ts'
import { simulatedDebates } from '../certificate/simulated-debates.ts'
import { fitted } from './fitted.ts'
import { budgetOf } from './spoken-debates.ts'

const ROUNDS = 3
const groups = ['law', 'art', null]
const train = readDebates(simulatedDebates({ count: 2200, seed: 51, groups }))
/** Includes debates with an unknown agent in round 2, debates where all abstain, and one round too many. */
const debates = simulatedDebates({ count: 150, seed: 52, groups }).map((debate, row): Debate => {
  if (row % 10 === 3)
    return replaceRound(debate, 1, (turn) => ({ ...turn, agent: turn.agent === 'x' ? 'w' : turn.agent }))
  if (row % 10 === 5) return replaceRound(debate, 0, (turn) => ({ agent: turn.agent, answer: null }))
  return row % 10 === 7 ? { ...debate, rounds: [...debate.rounds, agreement(debate)] } : debate
})
const stored = readDebates(debates)

/** A round in which every policy would like to act. */
function agreement({ rounds, gold }: Debate) {
  return rounds[0]!.map(({ agent }) => ({ agent, answer: gold!, conf: { verbal: 1 } }))
}

function replaceRound(debate: Debate, at: number, change: (turn: Debate['rounds'][0][0]) => Debate['rounds'][0][0]) {
  return { ...debate, rounds: debate.rounds.map((turns, round) => (round === at ? turns.map(change) : turns)) }
}

function firstRound(tuned: TunedPolicy, debateAt: (round: number) => ReadDebate): number {
  for (let round = 1; round <= debateAt(ROUNDS + 1).rounds.length; round++) {
    if (tuned.actsAt(debateAt(round), round)) return round
  }
  return 0
}

/** Every debate cut after each round, as a live panel sees it. */
const prefixes: readonly ReadDebates[] = [1, 2, 3, 4].map((round) =>
  readDebates(debates.map((debate) => ({ ...debate, rounds: debate.rounds.slice(0, round) }))),
)

test('there are nineteen, in the order of their names', () => {
  expect(POLICIES.map(({ name }) => name)).toEqual([...POLICY_NAMES])
  expect(POLICY_NAMES).toHaveLength(19)
  for (const name of POLICY_NAMES) expect(policyNamed(name).name).toBe(name)
})

test('an unknown name is refused with the known ones', () => {
  // @ts-expect-error a name from a command line may be anything
  expect(() => policyNamed('conensus')).toThrow('one of total, cells, tight')
})

describe.each(POLICIES)('$name', (policy) => {
  let known: FittedPolicy | undefined
  /** Fitted once, since budgets and replays must not change it. */
  const ours = () => {
    known ??= fitted(policy, train)
    return known
  }

  test.each([
    { beta: 0.15, groupConditional: false },
    { beta: 0.35, groupConditional: false },
    { beta: 0.5, groupConditional: true },
  ])('replays what it does round by round: beta $beta, by group $groupConditional', ({ beta, groupConditional }) => {
    const found = groupConditional ? fitted(policy, train, { groupConditional }) : ours()
    const { actedAt, ...tuning } = found.replay(stored).at(budgetOf(beta))
    const tuned = found.at(budgetOf(beta))
    expect(tuned).toMatchObject(tuning)
    expect([...actedAt]).toEqual(stored.debates.map((debate) => firstRound(tuned, () => debate)))
  })

  test('reads no later round', () => {
    const found = ours()
    const { actedAt } = found.replay(stored).at(budgetOf(0.35))
    expect(actedAt.some((round) => round > 0)).toBe(true)
    const tuned = found.at(budgetOf(0.35))
    const live = debates.map((_, row) => firstRound(tuned, (round) => prefixes[round - 1]!.debates[row]!))
    expect(live).toEqual([...actedAt])
  })

  test('is the same when fitted again', () => {
    expect(fitted(policy, train).replay(stored).at(budgetOf(0.3))).toEqual(ours().replay(stored).at(budgetOf(0.3)))
  })

  test('one replay answers for every budget in any order, whatever is done to its answers', () => {
    const replay = ours().replay(stored)
    const [strict, loose] = [budgetOf(0.1, 0.01), budgetOf(0.45)]
    const ask = () => [replay.at(strict), replay.at(loose), replay.at(strict)]
    const first = ask()
    const kept = structuredClone(first)
    for (const { actedAt } of first) actedAt.fill(9)
    expect(ask()).toEqual(kept)
  })

  test('without training debates it reports why it cannot be fitted', () => {
    const found = policy.fit(readDebates([]), { seed: 1 })
    expect(found).toEqual({ kind: 'unfit', reason: expect.stringContaining('no labelled debates') })
  })

  test.each([1, 2, 5, 30])('with %i training debates it fits or reports why not', (count) => {
    const few = readDebates(simulatedDebates({ count, seed: 53 }))
    const found = policy.fit(few, { seed: 1, questionOf: (id) => id.slice(0, -1) })
    if (found.kind === 'unfit') expect(found.reason).not.toBe('')
    else expect(found.replay(stored).at(budgetOf(0.2)).actedAt).toHaveLength(stored.debates.length)
  })

  test('refuses what is no budget', () => {
    const found = ours()
    const replay = found.replay(stored)
    for (const beta of [0, 1, Number.NaN]) {
      expect(() => found.at(budgetOf(beta))).toThrow(CertificateError)
      expect(() => replay.at(budgetOf(beta))).toThrow(CertificateError)
    }
  })

  test('refuses training debates without a label or of different lengths', () => {
    const [first, ...others] = simulatedDebates({ count: 20, seed: 54 })
    const options = { seed: 1 }
    expect(() => policy.fit(readDebates([...others, { ...first!, gold: null }]), options)).toThrow('gold')
    const cut = { ...first!, rounds: first!.rounds.slice(1) }
    expect(() => policy.fit(readDebates([...others, cut]), options)).toThrow('of 3 rounds')
  })

  test('cannot replay a debate that stopped early', () => {
    expect(() => ours().replay(prefixes[1]!)).toThrow('at least 3 rounds')
  })

  test('says what it does in one sentence', () => {
    expect(policy.summary).toMatch(/^[A-Z].*\.$/)
    expect(policy.summary.length).toBeLessThan(130)
  })
})

test.each(POLICIES.slice(6))('$name has no form by group', (policy) => {
  const at = (groupConditional: boolean) => fitted(policy, train, { groupConditional }).replay(stored).at(budgetOf(0.3))
  expect(at(true)).toEqual(at(false))
})
