import type { Policy } from './policy.ts'
import { byRound, scorePolicy, scoreTraining, tuneOnTraining } from './score-policy.ts'
import { trainingRows } from './training-rows.ts'

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
