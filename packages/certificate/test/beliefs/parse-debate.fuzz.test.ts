import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import type { BeliefReading, DebateRecord } from '../../src/beliefs/debate.ts'
import { parseDebate, parseDebates } from '../../src/beliefs/parse-debate.ts'
import { summariseRounds } from '../../src/beliefs/summarise-rounds.ts'
import { CertificateError } from '../../src/certificate-error.ts'
import { arbitraryDebate } from './arbitrary-debate.ts'

const elicitation = fc.constantFrom<BeliefReading>('given', 'samples', 'stated', 'vote')

/** Reads or refuses. Any other error is rethrown and fails the test. */
function readOrRefuse(read: () => readonly DebateRecord[]): void {
  try {
    for (const record of read()) expectSound(record)
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error
    expect(error.message.length).toBeLessThan(2000)
  }
}

function expectSound(record: DebateRecord): void {
  const optionCount = record.options.length
  expect(new Set(record.options).size).toBe(optionCount)
  for (const { agents, beliefs, votes } of record.rounds) {
    expect(new Set(agents).size).toBe(agents.length)
    expect(beliefs).toHaveLength(agents.length * optionCount)
    expect([...votes].every((vote) => vote >= -1 && vote < optionCount)).toBe(true)
    for (let start = 0; start < beliefs.length; start += optionCount) {
      const row = beliefs.subarray(start, start + optionCount)
      expect(row.every((belief) => belief >= 0 && belief <= 1)).toBe(true)
      expect(Math.abs(row.reduce((sum, belief) => sum + belief, 0) - 1)).toBeLessThan(1e-12)
    }
  }
  expect(summariseRounds(record)).toHaveLength(record.rounds.length)
}

test('arbitrary JSON is read or refused', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => readOrRefuse(() => [parseDebate(value)])),
    { numRuns: sized({ short: 600, full: 2000 }) },
  )
  fc.assert(fc.property(fc.array(fc.jsonValue()), (values) => readOrRefuse(() => parseDebates(values))))
})

test('arbitrary values of the language are read or refused', () => {
  const value = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSparseArray: true,
  })
  fc.assert(
    fc.property(value, (input) => readOrRefuse(() => [parseDebate(input)])),
    { numRuns: sized({ short: 600, full: 2000 }) },
  )
})

test('valid debates are read under every elicitation', () => {
  fc.assert(
    fc.property(arbitraryDebate, elicitation, (debate, how) => expectSound(parseDebate(debate, { elicitation: how }))),
    { numRuns: sized({ short: 200, full: 500 }) },
  )
})

test('a valid debate means the same after a journey through JSON', () => {
  fc.assert(
    fc.property(arbitraryDebate, (debate) => {
      expect(parseDebate(JSON.parse(JSON.stringify(debate)))).toEqual(parseDebate(debate))
    }),
  )
})

test('a valid debate with one value replaced or removed is read or refused', () => {
  const poison = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom(undefined, Number.NaN, Infinity, -Infinity, -0, 1n, Symbol('s'), () => 1, new Date(0), new Map()),
    fc.constantFrom('__proto__', 'constructor', 0.5, 1, [], {}, [[]], [null], new Array(5)),
  )
  const journey = fc.array(fc.nat(), { minLength: 1, maxLength: 7 })
  fc.assert(
    fc.property(arbitraryDebate, journey, poison, elicitation, (debate, steps, value, how) => {
      const broken: unknown = structuredClone(debate)
      replaceAt(broken, steps, value)
      readOrRefuse(() => [parseDebate(broken, { elicitation: how })])
      readOrRefuse(() => parseDebates([debate, broken], { elicitation: how }))
    }),
    { numRuns: sized({ short: 1500, full: 5000 }) },
  )
})

/**
 * Puts the value at the end of the path. Each step is taken modulo the number of keys, and the path ends early where
 * the object does.
 */
function replaceAt(root: unknown, steps: readonly number[], value: unknown): void {
  let current = root
  for (const [index, step] of steps.entries()) {
    if (typeof current !== 'object' || current === null) return
    const keys = Object.keys(current)
    const key = keys[step % Math.max(1, keys.length)]
    if (key === undefined) return
    const next: unknown = Reflect.get(current, key)
    if (index === steps.length - 1 || typeof next !== 'object' || next === null) {
      Object.defineProperty(current, key, { value, enumerable: true, configurable: true, writable: true })
      return
    }
    current = next
  }
}
