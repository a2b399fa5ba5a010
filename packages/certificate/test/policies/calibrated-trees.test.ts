import { expect, test } from 'vitest'
import { fitCalibratedTrees } from '../../src/policies/calibrated-learned.ts'
import { readReference } from '../reference/read-reference.ts'

interface Recorded {
  readonly columns: number
  readonly features: readonly number[]
  readonly labels: readonly number[]
  readonly folds: readonly number[]
  readonly outOfFold: readonly number[]
  readonly queries: readonly number[]
  readonly predicted: readonly number[]
}

const recorded: Recorded = readReference('policies.json').trees
const rows = {
  features: Float64Array.from(recorded.features),
  columns: recorded.columns,
  correct: Uint8Array.from(recorded.labels),
  folds: Uint8Array.from(recorded.folds),
}

test('out-of-fold scores, isotonic map and refitted model are those of scikit-learn', () => {
  const trees = fitCalibratedTrees(rows)!
  for (const [row, probability] of recorded.outOfFold.entries()) {
    expect(trees.outOfFold[row]).toBeCloseTo(probability, 6)
  }
  const queries = Float64Array.from(recorded.queries)
  for (const [row, probability] of recorded.predicted.entries()) {
    expect(trees.predict(queries.subarray(2 * row, 2 * row + 2))).toBeCloseTo(probability, 6)
  }
})

test('in-sample scores would flatter: the model has seen its rows', () => {
  const trees = fitCalibratedTrees(rows)!
  const loss = (probability: (row: number) => number) =>
    rows.correct.reduce((sum, label, row) => sum + (label - probability(row)) ** 2, 0) / rows.correct.length
  const seen = loss((row) => trees.predict(rows.features.subarray(2 * row, 2 * row + 2)))
  expect(seen).toBeLessThan(loss((row) => trees.outOfFold[row]!))
})

test('is null where the rows outside some fold have labels of one kind', () => {
  const correct = Uint8Array.from(rows.folds, (fold, row) => (fold === 0 ? rows.correct[row]! : 1))
  expect(fitCalibratedTrees({ ...rows, correct })).toBeNull()
})
