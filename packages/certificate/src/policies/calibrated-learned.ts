import type { RoundSummary } from '../beliefs/debate.ts'
import { twelveDecimals } from '../beliefs/twelve-decimals.ts'
import { permutation, seededRandom } from '../random.ts'
import { fitCalibratedTrees } from './calibrated-trees.ts'
import type { Policy, PolicyOptions } from './policy.ts'
import { byRound, scorePolicy, tuneOnTraining } from './score-policy.ts'
import { questionsOf, TOO_FEW_OF_A_KIND, type TrainingRows, trainingRows, unfit } from './training-rows.ts'

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
