import { describe, expect, test } from 'vitest'
import { type ReadDebates, readDebates } from '../../src/certificate/read-debates.ts'
import { clopperPearsonInterval } from '../../src/concentration/clopper-pearson.ts'
import { evaluatedFile } from '../../src/evaluation/evaluated-file.ts'
import { leaveGroupOut, shiftedGroups, summariseShift } from '../../src/evaluation/shift.ts'
import { summarise } from '../../src/evaluation/summarise.ts'
import { policyNamed } from '../../src/policies/all-policies.ts'
import type { Policy } from '../../src/policies/policy.ts'
import { simulatedDebates } from '../certificate/simulated-debates.ts'
import { budgetOf } from '../policies/spoken-debates.ts'
import { unfitPolicy } from './fixed-actions.ts'

const groups = ['law', 'art', 'physics']
const debates = simulatedDebates({ count: 240, seed: 61, groups })
const read = readDebates(debates)
const budgets = [budgetOf(0.1), budgetOf(0.3)]

/** Acts on everything in round 1, and records its training and test debates. */
function recorder() {
  const seen: { taught: readonly string[]; asked: readonly string[] }[] = []
  const idsOf = ({ debates }: ReadDebates) => debates.map(({ record }) => record.id)
  const policy: Policy = {
    name: 'cells',
    summary: 'acts on everything',
    fit: (train) => ({
      kind: 'fitted',
      at: () => ({ delta: null, epsilon: null, threshold: null, actsAt: () => true }),
      replay: (test) => {
        seen.push({ taught: idsOf(train), asked: idsOf(test) })
        return {
          at: () => ({
            delta: null,
            epsilon: null,
            threshold: null,
            actedAt: Uint8Array.from(test.debates, () => 1),
          }),
        }
      },
    }),
  }
  return { policy, seen }
}

describe('leaving a group out', () => {
  test('teaches every other group and decides the whole of it', () => {
    const { policy, seen } = recorder()
    const found = leaveGroupOut(read, 'art', { policies: [policy], budgets, seed: 7 })
    const idsIn = (isOwn: boolean) =>
      read.debates.filter(({ record }) => (record.group === 'art') === isOwn).map(({ record }) => record.id)
    expect(seen).toEqual([{ taught: idsIn(false), asked: idsIn(true) }])
    expect(found.isHalved).toBe(false)
    const right = read.debates.filter(
      ({ record, rounds }) => record.group === 'art' && rounds[0]!.prediction === record.gold,
    ).length
    const tally = { debates: idsIn(true).length, acted: idsIn(true).length, right }
    expect(found.policies).toEqual([{ name: 'cells', budgets: [tally, tally] }])
  })

  test('never trains on a question that it tests, even if groups share questions', () => {
    const { policy, seen } = recorder()
    // Every question is asked once in each group.
    const questionOf = (id: string) =>
      `question ${Math.floor(read.debates.findIndex(({ record }) => record.id === id) / 3)}`
    const found = leaveGroupOut(read, 'law', { policies: [policy], budgets, seed: 7, questionOf })
    expect(found.isHalved).toBe(true)
    const [{ taught, asked } = { taught: [], asked: [] }] = seen
    const known = new Set(taught.map(questionOf))
    expect(asked.length).toBeGreaterThan(20)
    expect(taught.length).toBeGreaterThan(40)
    expect(asked.filter((id) => known.has(questionOf(id)))).toEqual([])
  })

  test('a policy that cannot be fitted has no row', () => {
    const found = leaveGroupOut(read, 'law', { policies: [unfitPolicy('cells', 'no labels')], budgets, seed: 7 })
    expect(found.policies).toEqual([])
  })

  test('certificates and learn-then-test decide a group without its labels', () => {
    const policies = (['total', 'cells', 'learn-then-test'] as const).map(policyNamed)
    const found = leaveGroupOut(read, 'law', { policies, budgets, seed: 7 })
    expect(found.policies.map(({ name }) => name)).toEqual(['total', 'cells', 'learn-then-test'])
  })
})

describe('the table', () => {
  const left = (group: string, acted: number, right: number) => ({
    group,
    isHalved: false,
    policies: [{ name: 'total' as const, budgets: [{ debates: 100, acted, right }] }],
  })
  const shift = summariseShift([left('law', 50, 45), left('art', 40, 20), left('physics', 0, 0)], {
    beta: 0.1,
    place: 0,
  })

  test('counts the groups over budget and names the worst use', () => {
    expect(shift?.policies).toHaveLength(1)
    expect(shift?.policies[0]).toMatchObject({ name: 'total', groupsOver: 1, worstBudgetUsed: 2 })
    const [law, art, physics] = shift!.policies[0]!.groups
    expect(law).toMatchObject({ n: 100, act: 0.5, accuracy: 0.9, wrongActions: 0.05, budgetUsed: 0.5, isOver: false })
    expect(art).toMatchObject({ accuracy: 0.5, wrongActions: 0.2, budgetUsed: 2, isOver: true })
    expect(physics).toMatchObject({ act: 0, accuracy: null, wrongActions: 0, isOver: false })
    const { lower, upper } = clopperPearsonInterval(20, 100, 0.95)
    expect([art!.low, art!.high]).toEqual([lower, upper])
  })

  test('is absent where no group was left out', () => {
    expect(summariseShift([], { beta: 0.1, place: 0 })).toBeNull()
    expect(summarise([], evaluatedFile(read), { beta: 0.1, place: 0 }).shift).toBeNull()
  })
})

test('groups of 20 debates or more are left out, at most the 24 largest, and only of two groups or more', () => {
  expect(shiftedGroups({ groups: new Map([['all', 500]]) })).toEqual([])
  const few = new Map([
    ['tiny', 19],
    ['art', 20],
    ['law', 400],
  ])
  expect(shiftedGroups({ groups: few })).toEqual(['art', 'law'])
  const many = new Map(Array.from({ length: 30 }, (_, at) => [`g${at}`, 20 + at]))
  expect(shiftedGroups({ groups: many })).toEqual(Array.from({ length: 24 }, (_, at) => `g${at + 6}`))
})
