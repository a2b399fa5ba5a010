import { fitBoostedTrees } from '../smoothers/boosted-trees.ts'
import { fitIsotonic } from '../smoothers/isotonic.ts'
import { hasBothLabels } from './training-rows.ts'

/** Rows of features (row-major), the label of each, and the fold that it is left out with. */
export interface FoldedRows {
  readonly features: Float64Array
  readonly columns: number
  readonly correct: Uint8Array
  readonly folds: Uint8Array
}

export interface CalibratedTrees {
  /** Calibrated probability of each row by a model that has not seen it. */
  readonly outOfFold: Float64Array
  /** Of a new row: the model of all rows, calibrated by the same map. */
  predict(features: Float64Array): number
}

/**
 * Boosted trees score the rows they were fitted on too well, so the isotonic map is fitted to scores out of fold; what
 * is deployed is the model refitted on all rows, followed by that map (scikit-learn's
 * CalibratedClassifierCV(method='isotonic', ensemble=False), on probabilities).
 *
 * Null when what is left without some fold has labels of one kind only.
 */
export function fitCalibratedTrees(rows: FoldedRows): CalibratedTrees | null {
  const { features, columns, correct } = rows
  const scores = outOfFoldScores(rows)
  if (scores === null) return null
  const isotonic = fitIsotonic(scores, 1, correct, new Uint8Array(correct.length).fill(1))
  const model = fitBoostedTrees(features, columns, correct)
  return {
    outOfFold: scores.map((score) => isotonic.predict([score], 0)),
    predict: (row) => isotonic.predict([model.predict(row, 0)], 0),
  }
}

function outOfFoldScores({ features, columns, correct, folds }: FoldedRows): Float64Array | null {
  const scores = new Float64Array(correct.length)
  for (const fold of new Set(folds)) {
    const labels = correct.filter((_, row) => folds[row] !== fold)
    if (!hasBothLabels(labels)) return null
    const others = new Float64Array(labels.length * columns)
    let filled = 0
    for (const [row, own] of folds.entries()) {
      if (own === fold) continue
      others.set(features.subarray(row * columns, (row + 1) * columns), filled)
      filled += columns
    }
    const model = fitBoostedTrees(others, columns, labels)
    for (const [row, own] of folds.entries()) {
      if (own === fold) scores[row] = model.predict(features, row * columns)
    }
  }
  return scores
}
