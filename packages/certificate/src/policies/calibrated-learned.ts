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

/** Rows of features (row-major), the label of each, and the fold that it is left out with. */
interface FoldedRows {
  readonly features: Float64Array
  readonly columns: number
  readonly correct: Uint8Array
  readonly folds: Uint8Array
}

interface CalibratedTrees {
  /** Calibrated probability of each row by a model that has not seen it. */
  readonly outOfFold: Float64Array
  /** Of a new row: the model of all rows, calibrated by the same map. */
  predict(features: Float64Array): number
}

/** As many as scikit-learn's CalibratedClassifierCV: fewer teach each model on less, and its scores look worse. */
const FOLDS = 5

/** Baseline R3 of the paper. The threshold is tuned on scores out of fold: on their own rows trees would look better. */
export const calibratedLearnedPolicy: Policy = {
  name: 'calibrated-learned',
  summary:
    'Acts when boosted trees on five features, recalibrated, pass the threshold tuned in training: no guarantee.',
  fit(train, options) {
    const training = trainingRows('calibrated-learned', train)
    if ('kind' in training) return training
    const { panels, rounds, correct } = training
    const features = Float64Array.from(panels.flatMap((panel) => panel.rounds.flatMap(featuresOf)))
    const folds = foldOfEachRound(training, options)
    const trees = fitCalibratedTrees({ features, columns: FEATURES, correct, folds })
    if (trees === null) return unfit(TOO_FEW_OF_A_KIND)
    const scores = trees.outOfFold.map(twelveDecimals)
    return scorePolicy({
      name: 'calibrated-learned',
      rounds,
      scores: byRound((round) => trees.predict(Float64Array.from(featuresOf(round)))),
      tune: tuneOnTraining({ rows: panels.length, rounds, scores, correct }),
    })
  },
}

const FEATURES = 5

function featuresOf({ p1, margin, entropy, disagreement, stability }: RoundSummary): readonly number[] {
  return [p1, margin, entropy, disagreement, stability]
}

/** Row-major by round, the same for all rounds of all runs of a question. */
function foldOfEachRound({ panels, rounds }: TrainingRows, options: PolicyOptions): Uint8Array {
  const questions = questionsOf(panels, options) ?? panels.map(({ record }) => record.id)
  const distinct = [...new Set(questions)]
  const foldOf = new Map<string, number>()
  for (const [at, question] of permutation(distinct.length, seededRandom(options.seed)).entries()) {
    foldOf.set(distinct[question]!, at % FOLDS)
  }
  return Uint8Array.from(questions.flatMap((question) => Array(rounds).fill(foldOf.get(question)!)))
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
