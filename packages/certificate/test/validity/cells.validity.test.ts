import { describe, expect, test } from 'vitest'
import { countCells } from '../../src/cells/cell-counts.ts'
import { binOf, type CellDesign, looksOf } from '../../src/cells/cell-design.ts'
import { type CellVariant, chooseDesign } from '../../src/cells/choose-design.ts'
import type { RoundScores } from '../../src/cells/round-scores.ts'
import { type Random, seededRandom } from '../../src/random.ts'
import { allowed, type FailureRate, failureRate, inWords } from './failure-rate.ts'
import { TRUTHS } from './truths.ts'

/**
 * Cells promise without smoothness and without a representation gap: P(L > q(cell) at some look) <= delta and
 * P(act and wrong) <= beta, on every truth. Scores live on a lattice, so the truth of every cell is a finite sum.
 */
const BETA = 0.2
const DELTA = 0.1
const LINE = 1 - (BETA - DELTA)
const ROUNDS = 3
const STEPS = 8
const SETS = 2000
const QUERIES = 20

/** P(right in the last of these rounds | scores so far). A score is a claim; the truth need not agree with it. */
type PathTruth = (scores: readonly number[]) => number

const PATH_TRUTHS: Readonly<Record<string, PathTruth>> = {
  flat: () => 0.89,
  'calibrated score': (scores) => scores.at(-1)!,
  sloped: (scores) => TRUTHS.sloped.at(scores.at(-1)!),
  steep: (scores) => TRUTHS.steep.at(scores.at(-1)!),
  stepped: (scores) => TRUTHS.stepped.at(scores.at(-1)!),
  hump: (scores) => TRUTHS.hump.at(scores.at(-1)!),
  dip: (scores) => (scores.at(-1) === 1 ? 0.5 : 0.95),
  /** Those still running are worse: agreement that comes late is right less often, at the same score. */
  survivors: (scores) => 0.95 - 0.15 * (scores.length - 1) * (scores[0]! < 0.9 ? 1 : 0),
  'on the line': () => LINE,
}

const LATTICE = Array.from({ length: STEPS }, (_, step) => 0.3 + (0.7 * step) / (STEPS - 1))
const PATHS = LATTICE.flatMap((a) => LATTICE.flatMap((b) => LATTICE.map((c) => [a, b, c])))

describe.each<CellVariant>(['path', 'nominate'])('%s-cells', (variant) => {
  test.each(Object.keys(PATH_TRUTHS))('hold both promises on the truth "%s"', (name) => {
    const { bounds, wrongActions } = simulate(PATH_TRUTHS[name]!, variant, 'apart')
    expect(bounds.rate, inWords(bounds)).toBeLessThanOrEqual(allowed(DELTA, bounds))
    expect(wrongActions.rate, inWords(wrongActions)).toBeLessThanOrEqual(allowed(BETA, wrongActions))
  })
})

test('a companion that must fail: cells chosen on the labels that are then counted', () => {
  const { bounds } = simulate(PATH_TRUTHS['on the line']!, 'nominate', 'same', 300)
  expect(bounds.rate, inWords(bounds)).toBeGreaterThan(allowed(DELTA, bounds))
})

interface Outcome {
  readonly bounds: FailureRate
  readonly wrongActions: FailureRate
}

/** `apart`: designs are chosen on pilot rows of their own. `same`: on the rows that are counted, and that pass. */
function simulate(truth: PathTruth, variant: CellVariant, pilotRows: 'apart' | 'same', sets = SETS): Outcome {
  const random = seededRandom(41)
  const bounds: number[] = []
  const wrong: number[] = []
  for (let set = 0; set < sets; set++) {
    const neighbours = drawScores(truth, 300, random)
    const target = { line: LINE, delta: DELTA, neighbours: neighbours.rows }
    const design =
      pilotRows === 'apart' ? chooseDesign(variant, drawScores(truth, 150, random), target) : luckiestDesign(neighbours)
    const { find } = countCells(design, neighbours, DELTA / looksOf(design))
    const truths = cellTruths(design, truth)
    let failed = 0
    let harm = 0
    for (let asked = 0; asked < QUERIES; asked++) {
      const path = PATHS[Math.floor(random() * PATHS.length)]!
      let isWrong = false
      let isRunning = true
      for (let round = 1; round <= ROUNDS; round++) {
        const cell = find(path, round)
        if (cell === null || cell.rows === 0) continue
        if (cell.lower > truths.get(keyOf(design, path, round))! + 1e-12) isWrong = true
        if (isRunning && cell.lower >= LINE) {
          isRunning = false
          harm += 1 - truth(path.slice(0, round))
        }
      }
      if (isWrong) failed++
    }
    bounds.push(failed)
    wrong.push(harm)
  }
  return { bounds: failureRate(bounds, QUERIES), wrongActions: failureRate(wrong, QUERIES) }
}

/** What nobody may do: of many regions take the one whose own labels give the highest bound. */
function luckiestDesign(neighbours: RoundScores): CellDesign {
  const designs = [0, 1, 2].flatMap((round) =>
    LATTICE.flatMap((low, step) =>
      LATTICE.slice(step + 1).map((high) => ({
        kind: 'nominate' as const,
        cuts: [0, 1, 2].map((at) => (at === round ? [low, high] : [])),
      })),
    ),
  )
  const bestBound = (design: CellDesign) => {
    const { find } = countCells(design, neighbours, DELTA)
    return Math.max(...PATHS.flatMap((path) => [1, 2, 3].map((round) => find(path, round)?.lower ?? 0)))
  }
  return designs.map((design) => ({ design, value: bestBound(design) })).reduce((a, b) => (b.value > a.value ? b : a))
    .design
}

function drawScores(truth: PathTruth, rows: number, random: Random): RoundScores {
  const scores = new Float64Array(rows * ROUNDS)
  const correct = new Uint8Array(rows * ROUNDS)
  for (let row = 0; row < rows; row++) {
    const path = PATHS[Math.floor(random() * PATHS.length)]!
    const luck = random()
    for (let round = 0; round < ROUNDS; round++) {
      scores[row * ROUNDS + round] = path[round]!
      // One piece of luck for all rounds: labels of a debate hang together, rows do not.
      correct[row * ROUNDS + round] = luck < truth(path.slice(0, round + 1)) ? 1 : 0
    }
  }
  return { rows, rounds: ROUNDS, scores, correct }
}

/** Average truth of every cell over the paths in it; all paths are equally likely. */
function cellTruths(design: CellDesign, truth: PathTruth): Map<string, number> {
  const sums = new Map<string, { total: number; count: number }>()
  for (const path of PATHS) {
    for (let round = 1; round <= ROUNDS; round++) {
      const key = keyOf(design, path, round)
      const sum = sums.get(key) ?? { total: 0, count: 0 }
      sums.set(key, { total: sum.total + truth(path.slice(0, round)), count: sum.count + 1 })
    }
  }
  return new Map(Array.from(sums, ([key, { total, count }]) => [key, total / count]))
}

/** The cell by its definition: the bins of all rounds so far. For a nomination all but the last are 0. */
function keyOf({ cuts }: CellDesign, path: readonly number[], round: number): string {
  return path
    .slice(0, round)
    .map((score, at) => binOf(cuts[at]!, score))
    .join()
}
