import { expect, test } from 'vitest'
import { boundRows } from '../../../src/pages/debates/bound-rows.ts'

const STEP = {
  round: 1,
  answer: 'A',
  threshold: 0.9,
  lower: 0.95,
  mean: 0.98,
  slack: 0.03,
  neighbours: 50,
  successes: 49,
}
const FACTS = { answer: 'A', reason: null, reasonText: null, bound: 0.95, threshold: 0.9, round: 1 }

test('only the round that decided has a mark, and a debate under suspension that passed the threshold defers', () => {
  const path = [
    { ...STEP, lower: 0.5 },
    { ...STEP, round: 2 },
  ]
  expect(boundRows({ ...FACTS, kind: 'act', path }).map((row) => 'mark' in row && row.mark)).toEqual([null, 'act'])
  const rows = boundRows({ ...FACTS, kind: 'defer', reason: 'suspended', path })
  expect(rows.map((row) => 'mark' in row && row.mark)).toEqual([null, 'defer'])
  expect(boundRows({ ...FACTS, kind: 'continue', path }).map((row) => 'mark' in row && row.mark)).toEqual([null, null])
})

test('a step without a bound, or without a component of it, has a reason and no bar', () => {
  const { mean: _, ...partial } = STEP
  const path = [{ ...STEP, lower: null, reason: 'too-few-labels' as const }, partial]
  expect(boundRows({ ...FACTS, kind: 'defer', path })).toEqual([
    { label: 'round 1', lower: null, reason: 'too few labelled debates to compare with' },
    { label: 'round 1', lower: null, reason: 'no bound' },
  ])
})

test('a missing envelope is the rest of the mean', () => {
  const [row] = boundRows({ ...FACTS, kind: 'act', path: [{ ...STEP, lower: 0.9 }] })
  expect(row).toMatchObject({ envelope: expect.closeTo(0.05, 12) })
})
