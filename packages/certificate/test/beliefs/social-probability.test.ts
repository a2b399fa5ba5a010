import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RoundRecord } from '../../src/beliefs/debate.ts'
import { socialProbability } from '../../src/beliefs/social-probability.ts'
import { CertificateError } from '../../src/certificate-error.ts'

function round(...rows: readonly (readonly number[])[]): RoundRecord {
  return {
    agents: rows.map((_, index) => `agent ${index}`),
    beliefs: Float64Array.from(rows.flat()),
    votes: new Int16Array(rows.length),
  }
}

const social = (record: RoundRecord, weights?: ReadonlyMap<string, number>) => [...socialProbability(record, weights)]

/** Rows of 1 to 8 agents over 1 to 6 options, each summing to 1. */
const rows = fc.integer({ min: 1, max: 6 }).chain((options) => {
  const row = fc.array(fc.double({ min: 1e-6, max: 1, noNaN: true }), { minLength: options, maxLength: options })
  return fc.array(row.map(normalised), { minLength: 1, maxLength: 8 })
})

function normalised(row: readonly number[]): number[] {
  const sum = row.reduce((total, value) => total + value, 0)
  return row.map((value) => value / sum)
}

test('is the mean of the beliefs', () => {
  expect(social(round([0.9, 0.1, 0], [0.2, 0.2, 0.6], [1, 0, 0]))).toEqual([0.7, 0.1, 0.2])
})

test('has twelve decimals', () => {
  expect(social(round([1, 0], [1, 0], [0, 1]))).toEqual([0.666666666667, 0.333333333333])
})

test('is the same number for panels that are equal on paper', () => {
  expect((0.6 + 0.9 + 0.9) / 3).not.toBe((0.8 + 0.8 + 0.8) / 3)
  expect(social(round([0.6, 0.4], [0.9, 0.1], [0.9, 0.1]))).toEqual(social(round([0.8, 0.2], [0.8, 0.2], [0.8, 0.2])))
})

test('sums to 1', () => {
  fc.assert(
    fc.property(rows, (panel) => {
      const sum = social(round(...panel)).reduce((total, value) => total + value, 0)
      expect(Math.abs(sum - 1)).toBeLessThan(1e-11)
    }),
  )
})

test('has the same bits in every order of the agents', () => {
  const shuffled = rows.chain((panel) => {
    const all = { minLength: panel.length, maxLength: panel.length }
    return fc.tuple(fc.constant(panel), fc.shuffledSubarray(panel, all))
  })
  fc.assert(
    fc.property(shuffled, ([panel, other]) => {
      expect(social(round(...other))).toEqual(social(round(...panel)))
    }),
    { numRuns: 500 },
  )
})

test('has the same bits where the order of the sum would decide a rounding', () => {
  const [a, b, c, d] = [0.590690197423, 0.836933659156, 0.235075919423, 0.980845961952]
  const twelve = (sum: number) => Math.round((sum / 4) * 1e12) / 1e12
  expect(twelve(a + b + c + d)).not.toBe(twelve(d + c + b + a))
  const row = (belief: number) => [belief, 1 - belief]
  expect(social(round(row(a), row(b), row(c), row(d)))).toEqual(social(round(row(d), row(c), row(b), row(a))))
})

test('works for 64 agents and 64 options', () => {
  const panel = Array.from({ length: 64 }, (_, agent) =>
    Array.from({ length: 64 }, (_, option) => (agent === option ? 1 : 0)),
  )
  expect(social(round(...panel))).toEqual(new Array(64).fill(1 / 64))
})

describe('weights', () => {
  const panel = round([1, 0], [0, 1])

  test('are relative, and 1 for agents without a name in the map', () => {
    expect(social(panel, new Map([['agent 0', 3]]))).toEqual([0.75, 0.25])
    expect(social(panel, new Map(Object.entries({ 'agent 0': 6, 'agent 1': 2, unknown: 100 })))).toEqual([0.75, 0.25])
    expect(social(panel, new Map([['agent 0', 0]]))).toEqual([0, 1])
  })

  test('may be as large or small as numbers go', () => {
    expect(social(panel, new Map(Object.entries({ 'agent 0': 1.5e308, 'agent 1': 1.5e308 })))).toEqual([0.5, 0.5])
    expect(social(panel, new Map(Object.entries({ 'agent 0': 5e-324, 'agent 1': 5e-324 })))).toEqual([0.5, 0.5])
  })

  test('have the same bits in every order of the agents', () => {
    const weights = new Map(Object.entries({ a: 0.1, b: 0.7, c: 0.3 }))
    const beliefs = new Map(Object.entries({ a: [0.1, 0.9], b: [0.3, 0.7], c: [0.6, 0.4] }))
    const ordered = (...agents: readonly string[]) =>
      social({ ...round(...agents.map((agent) => beliefs.get(agent)!)), agents }, weights)
    expect(ordered('b', 'c', 'a')).toEqual(ordered('a', 'b', 'c'))
    expect(ordered('c', 'b', 'a')).toEqual(ordered('a', 'b', 'c'))
  })

  test.each([-1, Number.NaN, Infinity])('of %d are refused by name', (weight) => {
    expect(() => socialProbability(panel, new Map([['agent 1', weight]]))).toThrow(
      `socialProbability: weights["agent 1"] must be a finite number of at least 0, got ${weight}`,
    )
  })

  test('that leave nobody are refused', () => {
    const weights = new Map(Object.entries({ 'agent 0': 0, 'agent 1': 0, unknown: 1 }))
    expect(() => socialProbability(panel, weights)).toThrow(CertificateError)
  })

  test('may be given to agents named like a property of every object', () => {
    const record = { ...panel, agents: ['__proto__', 'toString'] }
    expect(social(record, new Map([['__proto__', 3]]))).toEqual([0.75, 0.25])
  })
})
