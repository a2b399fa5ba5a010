import type { RoundSummary } from '../beliefs/debate.ts'
import { fitLogistic } from '../smoothers/logistic-regression.ts'
import { standardise } from '../smoothers/standardise.ts'
import { learnedFeatureNames, learnedFeatures } from './learned-features.ts'
import { type LearnedLayout, learnedLayout } from './learned-layout.ts'
import { currentRound } from './state-function.ts'

/** A logistic regression of correctness, fitted on the pilot rows of one round. It contains only JSON values. */
export interface LearnedScore {
  /** Null if the regression uses (p1, support path) only. */
  readonly layout: LearnedLayout | null
  readonly means: readonly number[]
  readonly scales: readonly number[]
  readonly weights: readonly number[]
  readonly intercept: number
}

/** One pilot row up to the round in question. */
export interface PilotRow {
  readonly prefix: readonly RoundSummary[]
  readonly group: string | null
  readonly correct: number
}

/** Number of features of a score without a layout. */
export const FEWEST_FEATURES = 2

/** With fewer rows, a regression on every agent and group fits noise. */
export const ROWS_FOR_ALL_FEATURES = 400

/**
 * What the regression uses: all features, with the agents by name or, if not every row of the round has the same
 * agents, by minimum, median and maximum; or (p1, support path) only.
 */
export type LearnedFeatures = 'by-agent' | 'by-spread' | 'path-only'

/** Null if the labels are of one class, so nothing can be learned. */
export function fitLearnedScore(rows: readonly PilotRow[], sees: LearnedFeatures): LearnedScore | null {
  const successes = rows.map(({ correct }) => correct)
  if (!(successes.includes(0) && successes.includes(1))) return null
  const layout = sees === 'path-only' ? null : layoutOf(rows, sees)
  const columns = layout === null ? FEWEST_FEATURES : learnedFeatureNames(layout).length
  const matrix = new Float64Array(rows.length * columns)
  for (const [row, { prefix, group }] of rows.entries()) matrix.set(featuresOf(layout, prefix, group)!, row * columns)
  const counts = new Uint8Array(rows.length).fill(1)
  const { means, scales, rows: standardised } = standardise(matrix, columns, counts)
  const { intercept, weights } = fitLogistic({ rows: standardised, columns, successes, counts })
  return { layout, means: [...means], scales: [...scales], weights: [...weights], intercept }
}

function layoutOf(rows: readonly PilotRow[], sees: LearnedFeatures): LearnedLayout {
  const layout = learnedLayout(
    rows.map(({ prefix }) => prefix),
    rows.map(({ group }) => group),
  )
  return sees === 'by-agent' ? layout : { ...layout, agents: null }
}

/** Log-odds of being right; null if the panel is not the calibrated one. */
export function learnedLogOdds(
  score: LearnedScore,
  prefix: readonly RoundSummary[],
  group: string | null,
): number | null {
  const features = featuresOf(score.layout, prefix, group)
  if (features === null) return null
  let logOdds = score.intercept
  for (let column = 0; column < features.length; column++) {
    logOdds += (score.weights[column]! * (features[column]! - score.means[column]!)) / score.scales[column]!
  }
  return logOdds
}

function featuresOf(layout: LearnedLayout | null, prefix: readonly RoundSummary[], group: string | null) {
  if (layout !== null) return learnedFeatures(layout, prefix, group)
  const { p1, supportPath } = currentRound(prefix, 'learnedScore')
  return Float64Array.of(p1, supportPath)
}
