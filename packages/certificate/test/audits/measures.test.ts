import { expect, test } from 'vitest'
import { audit } from '../../src/audits/run-audit.ts'
import { readDebates } from '../../src/certificate/read-debates.ts'
import { simulatedDebates } from '../certificate/simulated-debates.ts'

const budget = { beta: 0.4, delta: 0.05, epsilon: 0.02 }
const read = readDebates(simulatedDebates({ count: 1600, seed: 4 }))
const measuresOf = (profile: 'paper' | 'tight' | 'cells') => {
  const { measures } = audit(read, { profile, budget, seed: 5, order: 'none' })
  return new Map(measures.map(({ name, rows }) => [name, rows]))
}
const paper = measuresOf('paper')

test('the paper profile has every figure of the paper', () => {
  expect([...paper.keys()]).toEqual([
    ...['2x inflation', 'certification gap', 'acted-error bound', 'neighbourhood label entropy'],
    ...['smoothness coverage', 'modulus', '[q_state - q_rich]+', '[q_rich - q_state]+'],
  ])
  expect(paper.get('smoothness coverage')?.map(({ name }) => name)).toEqual([
    ...['[0.00, 0.02)', '[0.02, 0.05)', '[0.05, 0.10)', '[0.10, 0.15)', '[0.15, 0.20)'],
  ])
})

test('twice the envelope never acts more', () => {
  for (const rows of [paper, measuresOf('tight')].map((found) => found.get('2x inflation')!)) {
    const [acted, still, lost] = rows.map(({ value }) => value!)
    expect(still).toBeLessThanOrEqual(acted!)
    expect(lost).toBeCloseTo(acted! - still!, 12)
    expect(acted).toBeGreaterThan(0)
  }
})

test('the labels behind an action are purer than those behind a deferral', () => {
  const [acted, deferred] = paper.get('neighbourhood label entropy')!
  expect(acted!.value!).toBeLessThan(deferred!.value!)
  expect(deferred!.value!).toBeLessThanOrEqual(Math.LN2)
})

test('the gap is below 0 in some round exactly when something is acted on', () => {
  const gaps = paper.get('certification gap')!.map(({ value }) => value!)
  expect(Math.min(...gaps)).toBeLessThanOrEqual(0)
})

test('cells have no envelope and no modulus', () => {
  const cells = measuresOf('cells')
  for (const name of ['2x inflation', 'smoothness coverage', 'modulus']) expect(cells.has(name)).toBe(false)
})

test('percentiles rise and counts are those of the region', () => {
  for (const name of ['[q_state - q_rich]+', '[q_rich - q_state]+']) {
    const values = paper.get(name)!.map(({ value }) => value!)
    for (const [high, higher] of [
      [1, 2],
      [2, 3],
      [5, 6],
      [6, 7],
    ] as const) {
      expect(values[high]!).toBeLessThanOrEqual(values[higher]!)
    }
  }
})
