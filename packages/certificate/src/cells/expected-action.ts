import { normalCdf } from '../special/normal-cdf.ts'
import { normalQuantile } from '../special/normal-quantile.ts'
import { type CellDesign, EXCLUDED_BIN, looksOf } from './cell-design.ts'
import type { ScorePatterns } from './score-patterns.ts'

/** The criteria for a design, known before any neighbour label is seen. */
export interface DesignTarget {
  /** 1 - alpha. */
  readonly threshold: number
  readonly delta: number
  /** Neighbour rows that will be counted. */
  readonly neighbours: number
}

/**
 * Value that an action loses from the first round to the last. Rounds cost calls, so of two similar designs the quicker
 * one is better.
 */
const LATENESS = 0.1

/**
 * Expected share of questions that a design acts on, with late actions weighted slightly less, from pilot rows with
 * out-of-fold scores. The cuts of the design are indices of levels here, not scores.
 *
 * A cell acts when its Clopper-Pearson bound passes. The chance of that comes from normal approximations that include
 * the sampling error of both the pilot and the neighbours. An error here costs automation, never validity.
 */
export function expectedAction(design: CellDesign, patterns: ScorePatterns, target: DesignTarget): number {
  const { rounds, rows, count, weights, successes } = patterns
  const level = target.delta / looksOf(design)
  const z = normalQuantile(1 - level)
  // Chance that a pattern has not been acted on yet, and its cell after each round.
  const running = new Float64Array(count).fill(1)
  let cells = new Int32Array(count)
  let cellCount = 1
  let worth = 0
  for (let round = 0; round < rounds; round++) {
    const next = enterRound(design, patterns, round, cells, cellCount)
    cells = next.cells
    cellCount = next.cellCount
    const sizes = new Float64Array(cellCount)
    const right = new Float64Array(cellCount)
    for (let pattern = 0; pattern < count; pattern++) {
      const cell = cells[pattern]!
      if (cell < 0) continue
      sizes[cell]! += weights[pattern]!
      right[cell]! += successes[pattern * rounds + round]!
    }
    const passes = sizes.map((size, cell) =>
      next.isAssessed(cell) ? chanceToPass(size, right[cell]!, rows, z, target) : 0,
    )
    const value = 1 - (LATENESS * round) / Math.max(1, rounds - 1)
    for (let pattern = 0; pattern < count; pattern++) {
      const cell = cells[pattern]!
      if (cell < 0) continue
      worth += value * weights[pattern]! * running[pattern]! * passes[cell]!
      running[pattern]! *= 1 - passes[cell]!
      // A nomination is the only test of a debate.
      if (design.kind === 'nominate' && cell > 0) cells[pattern] = -1
    }
  }
  return rows === 0 ? 0 : worth / rows
}

/**
 * Cell of every pattern in this round. For nominations: 0 if not yet nominated, else the bin, and -1 after the
 * nomination. For paths: a branch number.
 */
function enterRound(
  { kind, cuts }: CellDesign,
  patterns: ScorePatterns,
  round: number,
  before: Int32Array,
  parents: number,
) {
  const { rounds, count, reached } = patterns
  // The excluded branch comes first, then the bins.
  const bins = cuts[round]!.length + 2
  const cells = new Int32Array(count)
  const acting: boolean[] = []
  const numbers = new Int32Array(parents * bins).fill(-1)
  let cellCount = 0
  for (let pattern = 0; pattern < count; pattern++) {
    const bin = binOfLevel(cuts[round]!, reached[pattern * rounds + round]!)
    if (kind === 'nominate') {
      cells[pattern] = before[pattern]! < 0 ? -1 : Math.max(0, bin)
      continue
    }
    const branch = before[pattern]! * bins + bin + 1
    if (numbers[branch] === -1) {
      numbers[branch] = cellCount++
      acting.push(bin > 0)
    }
    cells[pattern] = numbers[branch]!
  }
  if (kind === 'nominate') return { cells, cellCount: bins, isAssessed: (cell: number) => cell > 0 }
  return { cells, cellCount, isAssessed: (cell: number) => acting[cell]! }
}

function binOfLevel(cuts: readonly number[], reached: number): number {
  if (reached < 0) return EXCLUDED_BIN
  let bin = 0
  while (bin < cuts.length && reached > cuts[bin]!) bin++
  return bin
}

/** Weight of the pilot's sampling error. It is above 1 because the best of many designs looks too good. */
const CAUTION = 2

function chanceToPass(size: number, right: number, rows: number, z: number, target: DesignTarget): number {
  const { threshold, neighbours } = target
  const expected = (neighbours * size) / rows
  if (expected < 1) return 0
  const mean = (right + threshold) / (size + 1)
  // The smallest mean whose exact bound passes, to second order (Cornish-Fisher).
  const skew = 0.5 + ((z * z - 1) * (1 - 2 * threshold)) / 6
  const needed = threshold + z * Math.sqrt((threshold * (1 - threshold)) / expected) + skew / expected
  const deviation = Math.sqrt(mean * (1 - mean) * (1 / expected + CAUTION / (size + 1)))
  return normalCdf((mean - needed) / deviation)
}
