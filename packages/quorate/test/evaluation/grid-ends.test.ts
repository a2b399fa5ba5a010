import type { PolicyTally, SplitTally } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { gridEnds } from '../../src/evaluation/evaluate-file.ts'

const TALLY = { debates: 0, acted: [], right: [], calls: 0, groups: new Map() } as never // not read

function ran(name: PolicyTally['name'], ...thresholds: readonly (number | null)[]): PolicyTally {
  const budgets = thresholds.map((threshold) => ({ delta: null, epsilon: null, threshold, tally: TALLY }))
  return { kind: 'ran', name, budgets }
}

function split(...policies: readonly PolicyTally[]): SplitTally {
  return { seed: 7, policies, capped: [] }
}

test('counts the splits in which a policy ended at .5, for one budget', () => {
  const splits = [
    split(ran('selective-prediction', 0.5, 0.5), ran('isotonic-confidence', 0.5, 0.6)),
    split(ran('selective-prediction', 0.5, 0.502512562814), ran('isotonic-confidence', null, 0.7)),
  ]
  expect(gridEnds(splits, 0)).toEqual([
    { name: 'selective-prediction', splits: 2 },
    { name: 'isotonic-confidence', splits: 1 },
  ])
  expect(gridEnds(splits, 1)).toEqual([{ name: 'selective-prediction', splits: 1 }])
})

test('a threshold of .5 that did not come from a grid is not an end of a grid', () => {
  const unfit: PolicyTally = { kind: 'unfit', name: 'calibrated-learned', reason: 'too few' }
  expect(gridEnds([split(ran('cells', 0.5), ran('learn-then-test', 0.5), unfit)], 0)).toEqual([])
})
