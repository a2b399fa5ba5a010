import { binomialTail } from '../total/exact-tests.ts'
import { promiseLevels, resolvePromise } from '../total/promise.ts'
import { learnedScore, PROBABILITY_GRID } from './learned-score.ts'
import type { Policy } from './policy.ts'
import { scorePolicy, scoreTraining } from './score-policy.ts'
import { type TrainingRisk, trainingRisk } from './training-risk.ts'
import { trainingRows } from './training-rows.ts'

/**
 * Learn then Test (Angelopoulos et al. 2022): with probability at least 1 - delta over calibration debates, at most
 * beta of all debates are acted on and wrong, whatever the score. It bounds the total only: some kinds of debates that
 * it acts on may be wrong more often. Pilot rows fit the score, and the tests use the other rows, one run of each
 * question. Losses are 0 or 1, so the exact binomial tail replaces the Hoeffding-Bentkus bound of the paper and is
 * never larger. delta is that of the total in the certificate `total`, so both have the same confidence.
 */
export const learnThenTestPolicy: Policy = {
  name: 'learn-then-test',
  summary:
    'Acts when the learned score passes the loosest threshold tested safe. Bounds the total with confidence 1 - delta.',
  fit(train, options) {
    const training = trainingRows('learn-then-test', train)
    if ('kind' in training) return training
    const { scores, counted } = learnedScore('learn-then-test', training, options)
    const risk = trainingRisk(scoreTraining(counted, scores), PROBABILITY_GRID)
    return scorePolicy({
      name: 'learn-then-test',
      rounds: training.rounds,
      scores,
      tune: ({ beta, total }) => {
        const { delta, attempt } = resolvePromise('learn-then-test', { beta, ...total })
        const level = promiseLevels({ kind: 'pac', delta, floor: null, answers: [], isJudged: false, attempt }).total
        return {
          delta: level,
          epsilon: null,
          threshold: loosestSafe(risk, PROBABILITY_GRID, { beta, delta: level }),
        }
      },
    })
  },
}

/**
 * Fixed-sequence testing of "wrong actions exceed beta", from the strictest threshold on (`grid` ascends). The first
 * hypothesis that is not rejected ends it, so every test has the full level delta. Null if not even the strictest
 * threshold passes.
 */
export function loosestSafe(
  { rows, wrong }: Omit<TrainingRisk, 'acted'>,
  grid: Float64Array,
  { beta, delta }: { readonly beta: number; readonly delta: number },
): number | null {
  let safe: number | null = null
  for (let at = grid.length - 1; at >= 0 && rows > 0; at--) {
    if (!(binomialTail(wrong[at]!, rows, beta) <= delta)) break
    safe = grid[at]!
  }
  return safe
}
