import type { RoundSummary } from '../beliefs/debate.ts'
import { fitIsotonic } from '../smoothers/isotonic.ts'
import { fitLogistic } from '../smoothers/logistic-regression.ts'
import { standardise } from '../smoothers/standardise.ts'
import { type Policy, UNTUNED } from './policy.ts'
import { byRound, scorePolicy, scoreTraining, tuneOnTraining } from './score-policy.ts'
import { hasBothLabels, TOO_FEW_OF_A_KIND, type TrainingRows, trainingRows, unfit } from './training-rows.ts'

const CONFIDENT = 0.9
const MORE_LIKELY_THAN_NOT = 0.5

/** Baseline R2 of the paper (El-Yaniv and Wiener 2010). */
export const selectivePredictionPolicy: Policy = {
  name: 'selective-prediction',
  summary: 'Acts when p1 passes the threshold that acted most in training within the budget: no guarantee.',
  fit(train) {
    const training = trainingRows('selective-prediction', train)
    if ('kind' in training) return training
    const scores = byRound(({ p1 }) => p1)
    const tune = tuneOnTraining(scoreTraining(training, scores))
    return scorePolicy({ name: 'selective-prediction', rounds: training.rounds, scores, tune })
  },
}

/** Baseline R4 of the paper. The regression and the threshold use the same training debates. */
export const isotonicConfidencePolicy: Policy = {
  name: 'isotonic-confidence',
  summary: 'Acts when p1, recalibrated by isotonic regression, passes the threshold tuned in training: no guarantee.',
  fit(train) {
    const training = trainingRows('isotonic-confidence', train)
    if ('kind' in training) return training
    const { debates, rounds, correct } = training
    const confidences = Float64Array.from(debates.flatMap((debate) => debate.rounds.map(({ p1 }) => p1)))
    const isotonic = fitIsotonic(confidences, 1, correct, new Uint8Array(correct.length).fill(1))
    const scores = byRound(({ p1 }) => isotonic.predict([p1], 0))
    const tune = tuneOnTraining(scoreTraining(training, scores))
    return scorePolicy({ name: 'isotonic-confidence', rounds, scores, tune })
  },
}

/** Baseline H2 of the paper. */
export const confidenceThresholdPolicy: Policy = {
  name: 'confidence-threshold',
  summary: 'Acts when p1 is at least .90, whatever the budget.',
  fit(train) {
    const training = trainingRows('confidence-threshold', train)
    if ('kind' in training) return training
    return scorePolicy({
      name: 'confidence-threshold',
      rounds: training.rounds,
      scores: byRound(({ p1 }) => p1),
      tune: () => ({ ...UNTUNED, threshold: CONFIDENT }),
    })
  },
}

/** Baseline H3 of the paper. */
export const learnedStopperPolicy: Policy = {
  name: 'learned-stopper',
  summary: 'Acts when a logistic regression on (p1, margin) says right more likely than wrong, whatever the budget.',
  fit(train) {
    const training = trainingRows('learned-stopper', train)
    if ('kind' in training) return training
    if (!hasBothLabels(training.correct)) return unfit(TOO_FEW_OF_A_KIND)
    return scorePolicy({
      name: 'learned-stopper',
      rounds: training.rounds,
      scores: byRound(probabilityRight(training)),
      tune: () => ({ ...UNTUNED, threshold: MORE_LIKELY_THAN_NOT }),
    })
  },
}

/** Logistic regression on all rounds pooled, standardised, L2 with C = 1. */
function probabilityRight({ debates, correct }: TrainingRows): (round: RoundSummary) => number {
  const rows = Float64Array.from(debates.flatMap(({ rounds }) => rounds.flatMap(({ p1, margin }) => [p1, margin])))
  const counts = new Uint8Array(correct.length).fill(1)
  const { means, scales, rows: standardised } = standardise(rows, 2, counts)
  const { intercept, weights } = fitLogistic({ rows: standardised, columns: 2, successes: correct, counts })
  return ({ p1, margin }) => {
    const first = (weights[0]! * (p1 - means[0]!)) / scales[0]!
    const second = (weights[1]! * (margin - means[1]!)) / scales[1]!
    return 1 / (1 + Math.exp(-(intercept + first + second)))
  }
}
