import { twelveDecimals } from '../beliefs/twelve-decimals.ts'
import { splitRows } from '../knn/split-rows.ts'
import { PILOT_FRACTION } from './certificate-policy.ts'
import { hoeffdingBentkus } from './hoeffding-bentkus.ts'
import { pilotScore } from './pilot-score.ts'
import type { Policy } from './policy.ts'
import { scorePolicy, scoreTraining } from './score-policy.ts'
import { type TrainingRisk, trainingRisk } from './training-risk.ts'
import { pickRows, questionsOf, trainingRows } from './training-rows.ts'

/**
 * Learn then Test (Angelopoulos et al. 2022): with probability 1 - delta over calibration debates the share of all
 * debates acted on wrongly is at most beta, whatever the score. It bounds the total only: kinds of debates that it acts
 * on may be wrong more often. The score sees pilot rows, the tests the others.
 */
export const learnThenTestPolicy: Policy = {
  name: 'learn-then-test',
  summary: 'Acts when the learned score passes the loosest threshold tested safe; bounds the total, sure to 1 - delta.',
  fit(train, options) {
    const training = trainingRows('learn-then-test', train)
    if ('kind' in training) return training
    const { panels, rounds } = training
    const choice = { pilotFraction: PILOT_FRACTION, seed: options.seed }
    const split = splitRows('learn-then-test', panels.length, choice, questionsOf(panels, options))
    const scores = pilotScore(training, split.pilot)
    const risk = trainingRisk(scoreTraining(pickRows(training, split.neighbours), scores), PROBABILITY_GRID)
    return scorePolicy({
      name: 'learn-then-test',
      rounds,
      scores,
      tune: ({ beta, delta }) => ({
        delta,
        epsilon: null,
        threshold: loosestSafe(risk, PROBABILITY_GRID, { beta, delta }),
      }),
    })
  },
}

/**
 * 401 points over [0, 1], as decimals. The paper's grid starts at .5, as p1 of two options does; a learned probability of
 * being right may lie below, and a large budget may act on it.
 */
export const PROBABILITY_GRID: Float64Array = Float64Array.from({ length: 401 }, (_, at) => twelveDecimals(at / 400))

/**
 * Fixed-sequence testing of "wrong actions exceed beta", from the strictest threshold on (`grid` ascends): the first that is not
 * rejected ends it, so every test has the full level delta. Null when not even the strictest is.
 */
export function loosestSafe(
  { rows, wrong }: Omit<TrainingRisk, 'acted'>,
  grid: Float64Array,
  { beta, delta }: { readonly beta: number; readonly delta: number },
): number | null {
  let safe: number | null = null
  for (let at = grid.length - 1; at >= 0 && rows > 0; at--) {
    if (!(hoeffdingBentkus(wrong[at]!, rows, beta) <= delta)) break
    safe = grid[at]!
  }
  return safe
}
