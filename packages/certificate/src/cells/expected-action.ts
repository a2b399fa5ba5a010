import { normalCdf } from '../special/normal-cdf.ts'
import { normalQuantile } from '../special/normal-quantile.ts'
import { assignCells } from './assign-cells.ts'
import { type CellDesign, looksOf } from './cell-design.ts'
import type { RoundScores } from './round-scores.ts'

/** What a design is judged by, before any neighbour label is seen. */
export interface DesignTarget {
  /** 1 - alpha. */
  readonly line: number
  readonly delta: number
  /** Neighbour rows that will be counted. */
  readonly neighbours: number
}

/**
 * Share of questions that a design is expected to act on, from pilot rows with out-of-fold scores.
 *
 * A cell acts when its Clopper-Pearson bound passes; the chance of that is read off normal approximations that carry
 * both the pilot's and the neighbours' sampling error. Being wrong here costs automation, never validity.
 */
export function expectedAction(design: CellDesign, pilot: RoundScores, target: DesignTarget): number {
  const { rows, rounds, correct } = pilot
  const { cells, count } = assignCells(design, pilot.scores, rows)
  const counts = new Float64Array(count)
  const successes = new Float64Array(count)
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at]!
    if (cell < 0) continue
    counts[cell]! += 1
    successes[cell]! += correct[at]!
  }
  const z = normalQuantile(1 - target.delta / looksOf(design))
  const passes = counts.map((size, cell) => chanceToPass(size, successes[cell]!, rows, z, target))
  let acted = 0
  for (let row = 0; row < rows; row++) {
    let running = 1
    for (let round = 0; round < rounds; round++) {
      const cell = cells[row * rounds + round]!
      if (cell >= 0) running *= 1 - passes[cell]!
    }
    acted += 1 - running
  }
  return rows === 0 ? 0 : acted / rows
}

function chanceToPass(size: number, successes: number, rows: number, z: number, target: DesignTarget): number {
  const { line, neighbours } = target
  const expected = (neighbours * size) / rows
  if (expected < 1) return 0
  const mean = (successes + line) / (size + 1)
  // The smallest mean whose exact bound passes, to second order (Cornish-Fisher).
  const skew = 0.5 + ((z * z - 1) * (1 - 2 * line)) / 6
  const needed = line + z * Math.sqrt((line * (1 - line)) / expected) + skew / expected
  const deviation = Math.sqrt(mean * (1 - mean) * (1 / expected + 1 / (size + 1)))
  return normalCdf((mean - needed) / deviation)
}
