import type { RoundSummary } from '../beliefs/debate.ts'
import { twelveDecimals } from '../beliefs/twelve-decimals.ts'
import { type Budget, checkBudget } from '../budget.ts'
import type { ReadDebate } from '../certificate/read-debates.ts'
import type { RoundScores } from './learned-score.ts'
import { type FittedPolicy, type PolicyName, type Tuning, UNTUNED } from './policy.ts'
import { mostAction, SCORE_GRID, trainingRisk } from './training-risk.ts'
import type { TrainingRows } from './training-rows.ts'
import { wholeDebates } from './whole-debates.ts'

/**
 * Scores of a debate in rounds 1 to `round`, from these rounds alone. A round whose score is missing or NaN is never
 * acted on.
 */
export type ScorePath = (debate: ReadDebate, round: number) => ArrayLike<number>

export interface ScoreRule {
  readonly name: PolicyName
  readonly rounds: number
  readonly scores: ScorePath
  tune(budget: Budget): Tuning
}

/** Acts at the first round whose score reaches the threshold. */
export function scorePolicy({ name, rounds, scores, tune }: ScoreRule): FittedPolicy {
  return {
    kind: 'fitted',
    at(budget) {
      checkBudget(name, budget)
      const tuning = tune(budget)
      const threshold = tuning.threshold ?? Infinity
      return {
        ...tuning,
        actsAt: (debate, round) => round <= rounds && decimalScore(scores(debate, round), round) >= threshold,
      }
    },
    replay(debates) {
      const scored = scoreRounds(wholeDebates(name, debates, rounds), rounds, scores)
      return {
        at(budget) {
          checkBudget(name, budget)
          const tuning = tune(budget)
          return { ...tuning, actedAt: firstReaching(scored, rounds, tuning.threshold ?? Infinity) }
        },
      }
    },
  }
}

/** The paper's tuning on the given scores: the threshold of the grid with the most training action within the budget. */
export function tuneOnTraining(scored: RoundScores): ScoreRule['tune'] {
  const risk = trainingRisk(scored, SCORE_GRID)
  return ({ beta }) => ({ ...UNTUNED, threshold: mostAction(risk, SCORE_GRID, beta) })
}

/** A score path whose score of each round depends on that round alone. */
export function byRound(score: (round: RoundSummary) => number): ScorePath {
  return (debate, round) => Float64Array.from({ length: round }, (_, at) => score(debate.rounds[at]!))
}

export function scoreTraining({ debates, rounds, correct }: TrainingRows, scores: ScorePath): RoundScores {
  return { rows: debates.length, rounds, scores: scoreRounds(debates, rounds, scores), correct }
}

function scoreRounds(debates: readonly ReadDebate[], rounds: number, scores: ScorePath): Float64Array {
  const scored = new Float64Array(debates.length * rounds)
  for (const [row, debate] of debates.entries()) {
    const path = scores(debate, rounds)
    for (let round = 1; round <= rounds; round++) scored[row * rounds + round - 1] = decimalScore(path, round)
  }
  return scored
}

/** Rounds to the decimals of the grid, so a score computed as a quotient can equal a threshold. */
function decimalScore(path: ArrayLike<number>, round: number): number {
  return twelveDecimals(path[round - 1] ?? Number.NaN)
}

function firstReaching(scored: Float64Array, rounds: number, threshold: number): Uint8Array {
  const actedAt = new Uint8Array(scored.length / rounds)
  for (let row = 0; row < actedAt.length; row++) {
    const path = scored.subarray(row * rounds, (row + 1) * rounds)
    actedAt[row] = path.findIndex((score) => score >= threshold) + 1
  }
  return actedAt
}
