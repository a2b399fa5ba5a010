import type { RoundSummary } from '../beliefs/debate.ts'
import { twelveDecimals } from '../beliefs/twelve-decimals.ts'
import { permutation, seededRandom } from '../random.ts'
import { fitBoostedTrees } from '../smoothers/boosted-trees.ts'
import { fitIsotonic } from '../smoothers/isotonic.ts'
import type { Policy, PolicyOptions } from './policy.ts'
import { byRound, scorePolicy, tuneOnTraining } from './score-policy.ts'
import {
  hasBothLabels,
  questionsOf,
  TOO_FEW_OF_A_KIND,
  type TrainingRows,
  trainingRows,
  unfit,
} from './training-rows.ts'

/** Rows of features (row-major), and the label and fold of each row. */
interface FoldedRows {
  readonly features: Float64Array
  readonly columns: number
  readonly correct: Uint8Array
  readonly folds: Uint8Array
}

interface CalibratedTrees {
  /** Calibrated probability of each row by a model that has not seen it. */
  readonly outOfFold: Float64Array
  /** Probability of a new row: the model of all rows, calibrated by the same map. */
  predict(features: Float64Array): number
}

/**
 * The default of scikit-learn's CalibratedClassifierCV. With fewer folds each model learns from less, and its scores
 * look worse.
 */
const FOLDS = 5

/** Baseline R3 of the paper. The threshold is tuned on out-of-fold scores, since trees look better on their own rows. */
export const calibratedLearnedPolicy: Policy = {
  name: 'calibrated-learned',
  summary:
    'Acts when boosted trees on five features, recalibrated, pass the threshold tuned in training: no guarantee.',
  fit(train, options) {
    const training = trainingRows('calibrated-learned', train)
    if ('kind' in training) return training
    const { debates, rounds, correct } = training
    const features = Float64Array.from(debates.flatMap((debate) => debate.rounds.flatMap(featuresOf)))
    const folds = foldOfEachRound(training, options)
    const trees = fitCalibratedTrees({ features, columns: FEATURES, correct, folds })
    if (trees === null) return unfit(TOO_FEW_OF_A_KIND)
    const scores = trees.outOfFold.map(twelveDecimals)
    return scorePolicy({
      name: 'calibrated-learned',
      rounds,
      scores: byRound((round) => trees.predict(Float64Array.from(featuresOf(round)))),
      tune: tuneOnTraining({ rows: debates.length, rounds, scores, correct }),
    })
  },
}

const FEATURES = 5

function featuresOf({ p1, margin, entropy, disagreement, stability }: RoundSummary): readonly number[] {
  return [p1, margin, entropy, disagreement, stability]
}

/** Row-major by round. All rounds of all runs of a question share a fold. */
function foldOfEachRound({ debates, rounds }: TrainingRows, options: PolicyOptions): Uint8Array {
  const questions = questionsOf(debates, options) ?? debates.map(({ record }) => record.id)
  const distinct = [...new Set(questions)]
  const foldOf = new Map<string, number>()
  for (const [at, question] of permutation(distinct.length, seededRandom(options.seed)).entries()) {
    foldOf.set(distinct[question]!, at % FOLDS)
  }
  return Uint8Array.from(questions.flatMap((question) => Array(rounds).fill(foldOf.get(question)!)))
}

/**
 * Boosted trees score their own training rows too well, so the isotonic map is fitted to out-of-fold scores. The
 * deployed model is refitted on all rows and followed by that map (scikit-learn's
 * CalibratedClassifierCV(method='isotonic', ensemble=False), on probabilities).
 *
 * Null if the rows without some fold have labels of one class only.
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
