import type { FittedPolicy, ReadDebates, Unfit } from '@quorate/certificate'
import { usualBudget } from './budgets.ts'
import { type Cell, outcomeOf, ratesOf } from './outcome.ts'
import type { SplitDebates } from './worlds.ts'

/** Rules whose threshold is moved until they act on as much of the training half as ours does of the test half. */
export interface MatchedCells {
  readonly ours: Cell
  readonly 'confidence-threshold': Cell
  /** Null if it could not be fitted. */
  readonly 'calibrated-learned': Cell | null
}

export function matchedCells(
  ours: Cell | null,
  halves: SplitDebates,
  learned: FittedPolicy | Unfit | undefined,
): MatchedCells | null {
  if (ours === null) return null
  const rounds = halves.test.debates[0]!.rounds.length
  const wanted = ratesOf(ours, rounds).act
  if (wanted === 0) return null
  return {
    ours,
    'confidence-threshold': { beta: ours.beta, outcome: matchedConfidence(wanted, halves) },
    'calibrated-learned':
      learned?.kind === 'fitted' ? { beta: ours.beta, outcome: matchedLearned(wanted, halves, learned) } : null,
  }
}

/** Acts where p1 reaches the threshold whose training Act is nearest to `wanted`. The budget plays no part. */
export function confidenceCell(wanted: number, halves: SplitDebates): Cell {
  return { beta: NO_BUDGET, outcome: matchedConfidence(wanted, halves) }
}

/** A cell has a budget, but nothing uses the one of these cells. */
const NO_BUDGET = 1

/** The paper's grid: 200 points in [.5, 1]. */
const GRID = Array.from({ length: 200 }, (_, at) => 0.5 + (0.5 * at) / 199)

function matchedConfidence(wanted: number, { train, test }: SplitDebates): Cell['outcome'] {
  const actedAt = ({ debates }: ReadDebates, threshold: number) =>
    debates.map(({ rounds }) => rounds.findIndex(({ p1 }) => p1 >= threshold) + 1)
  const threshold = nearest(GRID, wanted, (candidate) => shareActed(actedAt(train, candidate)))
  return outcomeOf(test.debates, actedAt(test, threshold))
}

/** Budgets that take the policy's own tuning through its thresholds. */
const LEADING_BUDGETS = Array.from({ length: 400 }, (_, at) => (at + 1) / 500)

/**
 * Reaches the thresholds of the policy through its own tuning: each budget leads to the threshold that acts most within
 * it.
 */
function matchedLearned(wanted: number, { train, test }: SplitDebates, learned: FittedPolicy): Cell['outcome'] {
  const leading = new Map(LEADING_BUDGETS.map((beta) => [learned.at(usualBudget(beta)).threshold, beta]))
  const training = learned.replay(train)
  const beta = nearest([...leading.values()], wanted, (candidate) =>
    shareActed(training.at(usualBudget(candidate)).actedAt),
  )
  return outcomeOf(test.debates, learned.replay(test).at(usualBudget(beta)).actedAt)
}

function nearest(candidates: readonly number[], wanted: number, shareAt: (candidate: number) => number): number {
  const distances = candidates.map((candidate) => Math.abs(shareAt(candidate) - wanted))
  return candidates[distances.indexOf(Math.min(...distances))]!
}

function shareActed(actedAt: ArrayLike<number>): number {
  let acted = 0
  for (let row = 0; row < actedAt.length; row++) if (actedAt[row]! > 0) acted++
  return acted / actedAt.length
}
