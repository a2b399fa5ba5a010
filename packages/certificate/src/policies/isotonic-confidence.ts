import { fitIsotonic } from '../smoothers/isotonic.ts'
import type { Policy } from './policy.ts'
import { byRound, scorePolicy, scoreTraining, tuneOnTraining } from './score-policy.ts'
import { trainingRows } from './training-rows.ts'

/** Baseline R4 of the paper. The regression and the threshold use the same training debates. */
export const isotonicConfidencePolicy: Policy = {
  name: 'isotonic-confidence',
  summary: 'Acts when p1, recalibrated by isotonic regression, passes the threshold tuned in training: no guarantee.',
  fit(train) {
    const training = trainingRows('isotonic-confidence', train)
    if ('kind' in training) return training
    const { panels, rounds, correct } = training
    const confidences = Float64Array.from(panels.flatMap((panel) => panel.rounds.map(({ p1 }) => p1)))
    const isotonic = fitIsotonic(confidences, 1, correct, new Uint8Array(correct.length).fill(1))
    const scores = byRound(({ p1 }) => isotonic.predict([p1], 0))
    const tune = tuneOnTraining(scoreTraining(training, scores))
    return scorePolicy({ name: 'isotonic-confidence', rounds, scores, tune })
  },
}
