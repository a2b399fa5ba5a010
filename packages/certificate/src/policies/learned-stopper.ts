import type { RoundSummary } from '../beliefs/debate.ts'
import { fitLogistic } from '../smoothers/logistic-regression.ts'
import { standardise } from '../smoothers/standardise.ts'
import { type Policy, UNTUNED } from './policy.ts'
import { byRound, scorePolicy } from './score-policy.ts'
import { hasBothLabels, TOO_FEW_OF_A_KIND, type TrainingRows, trainingRows, unfit } from './training-rows.ts'

const THRESHOLD = 0.5

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
      tune: () => ({ ...UNTUNED, threshold: THRESHOLD }),
    })
  },
}

/** Logistic regression on all rounds pooled, standardised, L2 with C = 1. */
function probabilityRight({ panels, correct }: TrainingRows): (round: RoundSummary) => number {
  const rows = Float64Array.from(panels.flatMap(({ rounds }) => rounds.flatMap(({ p1, margin }) => [p1, margin])))
  const counts = new Uint8Array(correct.length).fill(1)
  const { means, scales, rows: standardised } = standardise(rows, 2, counts)
  const { intercept, weights } = fitLogistic({ rows: standardised, columns: 2, successes: correct, counts })
  return ({ p1, margin }) => {
    const first = (weights[0]! * (p1 - means[0]!)) / scales[0]!
    const second = (weights[1]! * (margin - means[1]!)) / scales[1]!
    return 1 / (1 + Math.exp(-(intercept + first + second)))
  }
}
