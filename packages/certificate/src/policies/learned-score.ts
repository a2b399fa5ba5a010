import { twelveDecimals } from '../beliefs/twelve-decimals.ts'
import { usualPilotShare } from '../certificate/calibrate-total.ts'
import { debateScores, fitDebateScore } from '../certificate/debate-score.ts'
import { agentNames } from '../certificate/read-debates.ts'
import { splitRows } from '../knn/split-rows.ts'
import type { Score } from '../scores/score.ts'
import type { PolicyName, PolicyOptions } from './policy.ts'
import type { ScorePath } from './score-policy.ts'
import { pickRows, questionsOf, type TrainingRows } from './training-rows.ts'

/** Learned scores (probabilities of being right) and labels of several rows over all rounds, row-major. */
export interface RoundScores {
  readonly rounds: number
  readonly rows: number
  /** NaN from the first round of another panel on. */
  readonly scores: Float64Array
  readonly correct: Uint8Array
}

export interface LearnedScore {
  readonly scores: ScorePath
  /** Rows that the score was not fitted on, one per question. */
  readonly counted: TrainingRows
}

/** The score of `total`, fitted on the same pilot rows, for rules that are compared with it. */
export function learnedScore(name: PolicyName, training: TrainingRows, options: PolicyOptions): LearnedScore {
  const { debates, rounds, correct } = training
  const { seed } = options
  const keys = questionsOf(debates, options)
  const questions = keys === null || new Set(keys).size === keys.length ? null : keys
  const choice = { pilotFraction: usualPilotShare(debates.length), seed }
  const { pilot, neighbours } = splitRows(name, debates.length, choice, questions)
  const agents = Array.from({ length: rounds }, (_, at) => agentNames(debates, at))
  const { score } = fitDebateScore({ debates, rounds, correct, agents, questions, pilot, seed, folds: null })
  return { scores: scorePath(score), counted: pickRows(training, neighbours) }
}

/** Scores up to the first round of another panel, which is not included. */
function scorePath(score: Score): ScorePath {
  return (debate, round) => {
    for (let last = round; last > 0; last--) {
      const found = debateScores(score, [debate], last)
      if (found !== null) return found
    }
    return []
  }
}

/**
 * 401 points over [0, 1], as decimals. The paper's grid starts at .5, like p1 of two options. A learned probability of
 * being right may be lower, and a large budget may act on it.
 */
export const PROBABILITY_GRID: Float64Array = Float64Array.from({ length: 401 }, (_, at) => twelveDecimals(at / 400))
