import { binOf } from './cell-design.ts'
import type { CellRows } from './cell-rows.ts'

/**
 * Pilot rows grouped by the levels that their score reaches in each round. Every design whose cuts are among the levels
 * treats all rows of a pattern the same, so thousands of rows become a few hundred patterns.
 */
export interface ScorePatterns {
  readonly rounds: number
  readonly rows: number
  readonly count: number
  /** Row-major by pattern: the number of levels that the score reaches; -1 where the round is excluded. */
  readonly reached: Int8Array
  readonly weights: Float64Array
  /** Row-major by pattern: rows that were right in each round. */
  readonly successes: Float64Array
}

export function scorePatterns(
  { rows, rounds, scores, excluded, right }: Omit<CellRows, 'kinds'>,
  levels: readonly number[],
): ScorePatterns {
  const reached = Int8Array.from(scores, (score, at) => binOf(levels, score, excluded[at]!))
  const numbers = new Map<string, number>()
  const firstRow: number[] = []
  const patternOf = Array.from({ length: rows }, (_, row) => {
    const key = reached.subarray(row * rounds, (row + 1) * rounds).join()
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, firstRow.length)
    firstRow.push(row)
    return firstRow.length - 1
  })
  const count = firstRow.length
  const patterns = {
    rounds,
    rows,
    count,
    reached: new Int8Array(count * rounds),
    weights: new Float64Array(count),
    successes: new Float64Array(count * rounds),
  }
  for (const [pattern, row] of firstRow.entries()) {
    patterns.reached.set(reached.subarray(row * rounds, (row + 1) * rounds), pattern * rounds)
  }
  for (const [row, pattern] of patternOf.entries()) {
    patterns.weights[pattern]! += 1
    for (let round = 0; round < rounds; round++) {
      patterns.successes[pattern * rounds + round]! += right[row * rounds + round]!
    }
  }
  return patterns
}
