import { twelveDecimals } from '../beliefs/twelve-decimals.ts'
import type { RoundScores } from './learned-score.ts'

/** Results in training, per threshold, of stopping at the first round whose score reaches it. */
export interface TrainingRisk {
  readonly rows: number
  /** Debates acted on. */
  readonly acted: Uint32Array
  /** Debates acted on and wrong. */
  readonly wrong: Uint32Array
}

/** The paper's grid for scores: 200 points evenly over [.5, 1], as decimals so that a score may equal them. */
export const SCORE_GRID: Float64Array = Float64Array.from({ length: 200 }, (_, at) =>
  twelveDecimals(0.5 + (0.5 * at) / 199),
)

/** `grid` ascends. One pass is enough: for any threshold, a debate stops only where its score exceeds all earlier ones. */
export function trainingRisk(training: RoundScores, grid: Float64Array): TrainingRisk {
  const actedFrom = new Int32Array(grid.length + 1)
  const wrongFrom = new Int32Array(grid.length + 1)
  forEachStop(training, grid, (from, to, isRight) => {
    actedFrom[from]!++
    actedFrom[to]!--
    if (isRight) return
    wrongFrom[from]!++
    wrongFrom[to]!--
  })
  return { rows: training.rows, acted: runningSums(actedFrom), wrong: runningSums(wrongFrom) }
}

/**
 * The threshold with the most action in training among those whose wrong actions keep the budget. Ties go to fewer
 * wrong actions, then to the stricter threshold. Null if none keeps it.
 */
export function mostAction({ rows, acted, wrong }: TrainingRisk, grid: Float64Array, beta: number): number | null {
  let best: number | null = null
  for (let at = 0; at < grid.length; at++) {
    if (!(wrong[at]! / rows <= beta)) continue
    const isBetter =
      best === null || acted[at]! > acted[best]! || (acted[at] === acted[best] && wrong[at]! <= wrong[best]!)
    if (isBetter) best = at
  }
  return best === null ? null : grid[best]!
}

/** Calls `stop` for each round of each debate that stops it at the thresholds grid[from] to grid[to - 1]. */
export function forEachStop(
  { rows, rounds, scores, correct }: RoundScores,
  grid: Float64Array,
  stop: (from: number, to: number, isRight: boolean, row: number) => void,
): void {
  for (let row = 0; row < rows; row++) {
    let from = 0
    for (let at = row * rounds; at < (row + 1) * rounds && from < grid.length; at++) {
      const to = countReached(grid, scores[at]!, from)
      if (to > from) stop(from, to, correct[at] === 1, row)
      from = to
    }
  }
}

/** How many thresholds the score reaches, given that the first `low` are passed. NaN reaches no further one. */
function countReached(grid: Float64Array, score: number, low: number): number {
  let high = grid.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (score >= grid[middle]!) low = middle + 1
    else high = middle
  }
  return low
}

function runningSums(changes: Int32Array): Uint32Array {
  let sum = 0
  return Uint32Array.from(changes.subarray(0, -1), (change) => {
    sum += change
    return sum
  })
}
