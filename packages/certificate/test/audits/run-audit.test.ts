import { describe, expect, test } from 'vitest'
import type { CheckName } from '../../src/audits/audit.ts'
import type { AuditOptions } from '../../src/audits/held-out.ts'
import { audit } from '../../src/audits/run-audit.ts'
import { resolveProfileBudget } from '../../src/certificate/alpha-rule.ts'
import { readDebates } from '../../src/certificate/read-debates.ts'
import { simulatedDebates } from '../certificate/simulated-debates.ts'

const budget = { beta: 0.4, delta: 0.05, epsilon: 0.02 }
const options: AuditOptions = { profile: 'paper', budget, seed: 5 }
const read = readDebates(simulatedDebates({ count: 1600, seed: 4, groups: ['a', 'b', null] }))
/** What most tests look at. */
const audited = audit(read, options)
const auditedCells = audit(read, { ...options, profile: 'cells' })
const names = (found: ReturnType<typeof audit>): CheckName[] => found.checks.map(({ name }) => name)

const ORDER: readonly CheckName[] = ['exchangeability-permutation', 'exchangeability-martingale']

describe('which checks', () => {
  test.each(['paper', 'tight'] as const)('%s is checked for everything that it assumes', (profile) => {
    const found = audit(read, { ...options, profile })
    expect(names(found)).toEqual([
      ...['stopping-rounds', 'groups', 'bound-calibration', 'smoothness', 'representation-gap', 'kinds'],
      ...ORDER,
    ])
    expect(found).toMatchObject({ profile, beta: 0.4, delta: 0.05, epsilon: 0.02, seed: 5 })
    const { threshold } = resolveProfileBudget('test', options.budget, profile, found.rounds)
    expect(found.threshold).toBe(threshold)
  })

  test('cells promise nothing for a group or a part of a cell: figures without a test', () => {
    const found = auditedCells
    expect(names(found)).toEqual(['stopping-rounds', 'bound-calibration', 'kinds', ...ORDER])
    expect(found.epsilon).toBe(0)
    const groups = found.measures.find(({ name }) => name === 'accuracy by group')
    expect(groups?.rows.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  test('group-conditional cells do promise it for each group', () => {
    expect(names(audit(read, { ...options, profile: 'cells', groupConditional: true }))).toContain('groups')
  })

  test('an order that means nothing is not tested', () => {
    expect(names(audit(read, { ...options, order: 'none' }))).not.toContain('exchangeability-permutation')
  })
})

test('is the same for a seed and another for another', () => {
  expect(audit(read, options)).toEqual(audited)
  expect(audit(read, { ...options, seed: 6 }).checks).not.toEqual(audited.checks)
})

test('contains only JSON values: no NaN, no infinity, no undefined', () => {
  expect(JSON.parse(JSON.stringify(audited))).toEqual(audited)
  expect(JSON.stringify(audited)).not.toMatch(/NaN|Infinity|undefined/)
})

test('every row has a p-value with its adjusted one, or neither', () => {
  for (const { rows, pValue } of audited.checks) {
    for (const row of rows) {
      expect(row.pValue === null).toBe(row.adjustedPValue === null)
      if (row.pValue !== null) expect(row.adjustedPValue).toBeGreaterThanOrEqual(row.pValue)
    }
    const known = rows.map((row) => row.pValue).filter((p) => p !== null)
    expect(pValue).toBe(known.length === 0 ? null : Math.min(...known))
  }
})

describe('too little data', () => {
  test('a budget that allows nothing leaves the acted checks without data, with n = 0', () => {
    const found = audit(read, { ...options, budget: { beta: 0.05, delta: 0.03, epsilon: 0.02 } })
    const stopping = found.checks.find(({ name }) => name === 'stopping-rounds')
    expect(stopping).toMatchObject({ verdict: 'not enough data', pValue: null })
    expect(stopping?.rows.map(({ n }) => n)).toEqual([0, 0, 0, 0])
    expect(stopping?.finding).toContain('n = 0')
  })

  test.each([4, 7, 12, 20])('%d debates are no error, and never enough to say that nothing was found', (count) => {
    const few = readDebates(simulatedDebates({ count, seed: 2, groups: ['a', 'b'] }))
    for (const profile of ['paper', 'tight', 'cells', 'total'] as const) {
      const found = audit(few, { ...options, profile })
      expect(found.verdict).toBe('not enough data')
      expect(found.checks.map(({ verdict }) => verdict)).not.toContain('not falsified')
    }
  })
})

test('cells say that only the order of arrival tests whether questions are independent draws', () => {
  const [stopping, calibration] = auditedCells.checks
  for (const check of [stopping!, calibration!]) expect(check.assumption).toContain('drawn at random')
  expect(calibration!.next).toContain('Only the order of arrival')
})

describe('stopping rounds', () => {
  const rowsOf = (found: ReturnType<typeof audit>) => found.checks[0]!.rows

  test('count all actions after the first round together', () => {
    const rows = rowsOf(audited)
    expect(rows.map(({ name }) => name)).toEqual(['round 1', 'round 2', 'round 3', 'after round 1'])
    expect(rows[3]!.n).toBe(rows[1]!.n! + rows[2]!.n!)
    const right = ({ n, figure }: (typeof rows)[number]) => (n === 0 ? 0 : n! * figure!)
    expect(rows[3]!.n! * rows[3]!.figure!).toBeCloseTo(right(rows[1]!) + right(rows[2]!), 9)
  })

  test('of two the second is all that comes after the first', () => {
    const two = readDebates(simulatedDebates({ count: 400, seed: 2, rounds: 2 }))
    expect(rowsOf(audit(two, options)).map(({ name }) => name)).toEqual(['round 1', 'round 2'])
  })
})

describe('refuses', () => {
  test('a single question', () => {
    expect(() => audit(read, { ...options, questionOf: () => 'same' })).toThrow(/debates on 2 questions or more/)
  })

  test('debates without a label, by their place', () => {
    const [first, ...rest] = simulatedDebates({ count: 10 })
    const unlabelled = readDebates([...rest, { ...first!, gold: null }])
    expect(() => audit(unlabelled, options)).toThrow(/debates\[9\]\.gold/)
  })

  test('debates that stopped early', () => {
    const mixed = readDebates([
      ...simulatedDebates({ count: 4 }),
      ...simulatedDebates({ count: 1, seed: 2, rounds: 2 }),
    ])
    expect(() => audit(mixed, options)).toThrow(/debates\[4\]\.rounds/)
  })

  test('an option it does not know, and values it cannot use', () => {
    const wrong: object = { ...options, sed: 3 }
    expect(() => audit(read, wrong as AuditOptions)).toThrow(/an option/) // a caller without types
    expect(() => audit(read, { ...options, seed: -1 })).toThrow(/seed/)
    const sorted: object = { ...options, order: 'sorted' }
    expect(() => audit(read, sorted as AuditOptions)).toThrow(/order/) // a caller without types
  })
})

test('cells are falsified by the later half where the stream gets worse, and not without its order', () => {
  const debates = simulatedDebates({ count: 1600, seed: 4 })
  // From the middle on every third label is another option.
  const worse = readDebates(
    debates.map((debate, at) => (at >= 800 && at % 3 === 0 ? { ...debate, gold: otherThan(debate.gold!) } : debate)),
  )
  const [stopping] = audit(worse, {
    ...options,
    profile: 'cells',
    budget: { beta: 0.3, delta: 0.05, epsilon: 0 },
  }).checks
  expect(stopping!.verdict).toBe('falsified')
  expect(stopping!.finding).toContain('later half')
  const unordered = audit(worse, {
    ...options,
    profile: 'cells',
    budget: { beta: 0.3, delta: 0.05, epsilon: 0 },
    order: 'none',
  })
  expect(unordered.verdict).not.toBe('falsified')
  expect(unordered.checks[0]!.rows.map(({ name }) => name)).not.toContain('later half')
})

const otherThan = (option: string) => (option === 'A' ? 'B' : 'A')

describe('profile total', () => {
  const found = audit(read, { ...options, profile: 'total' })

  test('is tested against its total and its floor, class by class and kind by kind', () => {
    expect(found.checks.map(({ name }) => name).slice(0, 3)).toEqual(['total', 'classes', 'kinds'])
    expect(found.promise).toMatchObject({ kind: 'pac', beta: options.budget.beta })
    const [total, classes, kinds] = found.checks
    expect(total!.rows.map(({ name }) => name)).toEqual(['all questions', 'later half'])
    expect(total!.rows[0]!.line).toBeCloseTo(1 - options.budget.beta, 12)
    const floor = found.promise!.floor!
    for (const row of classes!.rows) expect(row.line).toBeCloseTo(floor, 12)
    // The classes are made of the kinds: both count the same actions.
    const count = (rows: typeof classes) => rows!.rows.reduce((sum, { n }) => sum + n!, 0)
    expect(count(classes)).toBe(count(kinds))
  })

  test('without a floor no class is checked', () => {
    const budget = { ...options.budget, total: { floor: 'none' as const } }
    const names = audit(read, { ...options, profile: 'total', budget }).checks.map(({ name }) => name)
    expect(names).not.toContain('classes')
  })

  test('a panel that is worse than calibrated falsifies the total in the later half', () => {
    const good = simulatedDebates({ count: 700, seed: 5 })
    const bad = simulatedDebates({ count: 700, seed: 6 }).map((debate) => ({ ...debate, id: `later ${debate.id}` }))
    // The labels of the later half belong to other questions, so nearly all actions are wrong.
    const options_ = bad[0]!.options as readonly string[] // names, as the simulation makes them
    const wrong = bad.map((debate) => ({ ...debate, gold: options_[(options_.indexOf(debate.gold!) + 1) % 3]! }))
    const worse = audit(readDebates([...good, ...wrong]), { ...options, profile: 'total' })
    expect(worse.checks[0]).toMatchObject({ name: 'total', verdict: 'falsified' })
    expect(worse.checks[0]!.finding).toContain('acted on and wrong')
  })
})
