import { splitRows } from '../knn/split-rows.ts'
import { learnedScore, PROBABILITY_GRID, type RoundScores } from './learned-score.ts'
import { type Policy, UNTUNED } from './policy.ts'
import { byRound, scorePolicy, scoreTraining } from './score-policy.ts'
import { forEachStop, SCORE_GRID } from './training-risk.ts'
import { pickRows, questionsOf, trainingRows } from './training-rows.ts'

/** Baseline R1 of the paper. Runs of one question are not exchangeable with other rows, so one run of each is counted. */
export const conformalRiskControlPolicy: Policy = {
  name: 'conformal-risk-control',
  summary: 'Acts when p1 passes the loosest threshold whose corrected training risk keeps the budget on average.',
  fit(train, options) {
    const training = trainingRows('conformal-risk-control', train)
    if ('kind' in training) return training
    const questions = questionsOf(training.debates, options)
    const choice = { pilotFraction: 0, seed: options.seed }
    const { neighbours } = splitRows('conformal-risk-control', training.debates.length, choice, questions)
    const scores = byRound(({ p1 }) => p1)
    const losses = monotoneLosses(scoreTraining(pickRows(training, neighbours), scores), SCORE_GRID)
    return scorePolicy({
      name: 'conformal-risk-control',
      rounds: training.rounds,
      scores,
      tune: ({ beta }) => ({ ...UNTUNED, threshold: loosestThreshold(losses, SCORE_GRID, neighbours.length, beta) }),
    })
  },
}

/**
 * The same on the learned score of `total`, since the method looks weaker than it is with p1 alone. Pilot rows fit the
 * score, and the losses are those of the other rows, one run of each question.
 */
export const conformalRiskLearnedPolicy: Policy = {
  name: 'conformal-risk-learned',
  summary: 'Conformal risk control on the learned score: the loosest threshold that keeps the budget on average.',
  fit(train, options) {
    const training = trainingRows('conformal-risk-learned', train)
    if ('kind' in training) return training
    const { scores, counted } = learnedScore('conformal-risk-learned', training, options)
    const losses = monotoneLosses(scoreTraining(counted, scores), PROBABILITY_GRID)
    const count = counted.debates.length
    return scorePolicy({
      name: 'conformal-risk-learned',
      rounds: training.rounds,
      scores,
      tune: ({ beta }) => ({ ...UNTUNED, threshold: loosestThreshold(losses, PROBABILITY_GRID, count, beta) }),
    })
  },
}

/**
 * Number of debates with a monotonised loss of 1 at each threshold of the grid. Acting and being wrong is not monotone
 * in the threshold of a stopping rule (a stricter one may stop later, and wrong), but the theorem needs a monotone
 * loss. Each debate's loss is therefore replaced by its largest over all thresholds at least as strict, the smallest
 * non-increasing majorant. The controlled risk is at least the true one.
 */
export function monotoneLosses(training: RoundScores, grid: Float64Array): Uint32Array {
  const strictestWrong = new Int32Array(training.rows).fill(-1)
  forEachStop(training, grid, (_, to, isRight, row) => {
    if (!isRight) strictestWrong[row] = to - 1
  })
  const losses = new Uint32Array(grid.length)
  for (const strictest of strictestWrong) if (strictest >= 0) losses[strictest]!++
  for (let at = grid.length - 2; at >= 0; at--) losses[at]! += losses[at + 1]!
  return losses
}

/**
 * The smallest threshold with n/(n + 1) R + B/(n + 1) <= beta, where losses lie in [0, B], B = 1 (Angelopoulos et al.
 * 2024, Conformal Risk Control). The mean loss on a new exchangeable debate is then at most beta. Null if no threshold
 * qualifies; the rule then never acts and has no loss.
 */
export function loosestThreshold(losses: Uint32Array, grid: Float64Array, count: number, beta: number): number | null {
  const at = losses.findIndex((lost) => (lost + 1) / (count + 1) <= beta)
  return at < 0 ? null : grid[at]!
}
