import { type Policy, UNTUNED } from './policy.ts'
import { byRound, scorePolicy } from './score-policy.ts'
import { trainingRows } from './training-rows.ts'

const THRESHOLD = 0.9

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
      tune: () => ({ ...UNTUNED, threshold: THRESHOLD }),
    })
  },
}
