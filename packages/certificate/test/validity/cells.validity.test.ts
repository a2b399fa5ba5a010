import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { resolveBudget } from '../../src/budget.ts'
import { countCells } from '../../src/cells/cell-counts.ts'
import { binOf, type CellDesign, looksOf } from '../../src/cells/cell-design.ts'
import type { CellRows } from '../../src/cells/cell-rows.ts'
import { chooseDesign } from '../../src/cells/choose-design.ts'
import { clopperPearsonLower } from '../../src/concentration/clopper-pearson.ts'
import { type Random, seededRandom } from '../../src/random.ts'
import { allowed, type FailureRate, failureRate, inWords } from './failure-rate.ts'
import { TRUTHS } from './truths.ts'

/**
 * Cells promise without smoothness and without a representation gap. Among the debates that are tested, the bound of
 * some cell is above the cell's truth with probability at most delta. Wrong actions exceed alpha per action by no more
 * than the shortfall of the budget, which is sharper than beta and can fail where beta cannot. Scores are on a lattice,
 * so the truth of every cell is a finite sum.
 */
const DELTA = 0.1
const ROUNDS = 3
const BUDGETS = {
  path: resolveBudget('test', { beta: 0.2, delta: DELTA, epsilon: 0 }, { kind: 'every-round', rounds: ROUNDS }),
  nominate: resolveBudget('test', { beta: 0.2, delta: DELTA, epsilon: 0 }, { kind: 'one-test' }),
}
const SETS = sized({ short: 80, full: 2000 })
/** Of the tests that two companions must fail. Fewer would not show the difference. */
const LIFTED_SETS = sized({ short: 450, full: 2000 })
const QUERIES = 20

/** P(right in the last of these rounds | scores so far). A score is a claim; the truth need not agree with it. */
type PathTruth = (scores: readonly number[], threshold: number) => number

const PATH_TRUTHS: Readonly<Record<string, PathTruth>> = {
  flat: (_, threshold) => threshold - 0.01,
  'calibrated score': (scores) => scores.at(-1)!,
  sloped: (scores) => TRUTHS.sloped.at(scores.at(-1)!),
  steep: (scores) => TRUTHS.steep.at(scores.at(-1)!),
  stepped: (scores) => TRUTHS.stepped.at(scores.at(-1)!),
  hump: (scores) => TRUTHS.hump.at(scores.at(-1)!),
  dip: (scores) => (scores.at(-1) === 1 ? 0.5 : 0.95),
  /** Those still running are worse: late agreement is right less often at the same score. */
  survivors: (scores) => 0.95 - 0.15 * (scores.length - 1) * (scores[0]! < 0.9 ? 1 : 0),
  'on the threshold': (_, threshold) => threshold,
  'below the threshold': (_, threshold) => threshold - 0.05,
}

/** A way that scores can go. All are equally likely. */
interface Path {
  readonly scores: readonly number[]
  /** Chance to be right after each round. */
  readonly chances: readonly number[]
}

interface Scenario {
  readonly truth: string
  readonly rows: number
  /** Scores on eight points, on three, or all equal. */
  readonly lattice: number
  /** How the labels of one debate depend on each other. */
  readonly luck: 'one' | 'fresh' | 'opposed'
  readonly sets?: number
}

const scenarios: Scenario[] = [
  ...Object.keys(PATH_TRUTHS).map((truth) => ({ truth, rows: 300, lattice: 8, luck: 'one' as const })),
  { truth: 'calibrated score', rows: 2000, lattice: 3, luck: 'fresh' },
  { truth: 'dip', rows: 120, lattice: 3, luck: 'opposed' },
  { truth: 'on the threshold', rows: 1000, lattice: 1, luck: 'fresh', sets: LIFTED_SETS },
  { truth: 'on the threshold', rows: 1000, lattice: 1, luck: 'one', sets: LIFTED_SETS },
  { truth: 'survivors', rows: 1000, lattice: 8, luck: 'opposed' },
]

describe.each(['path', 'nominate'] as const)('%s-cells', (variant) => {
  test.each(scenarios)('hold on $truth, n = $rows, $lattice score values, $luck luck', (scenario) => {
    const { bounds, harm } = simulate(scenario, variant)
    expect(bounds.rate, inWords(bounds)).toBeLessThanOrEqual(allowed(DELTA, bounds))
    expect(harm.rate, inWords(harm)).toBeLessThanOrEqual(allowed(BUDGETS[variant].shortfall, harm))
  })
})

describe('companions that must fail', () => {
  test('path-cells that forget that every round is a look', () => {
    const everyRoundAnew = { truth: 'on the threshold', rows: 1000, lattice: 1, luck: 'fresh' } as const
    const { bounds } = simulate(everyRoundAnew, 'path', { lift: ROUNDS, sets: sized({ short: 450, full: 600 }) })
    expect(bounds.rate, inWords(bounds)).toBeGreaterThan(allowed(DELTA, bounds))
  })

  test('nominate-cells at three times the level', () => {
    const { bounds } = simulate({ truth: 'on the threshold', rows: 1000, lattice: 1, luck: 'one' }, 'nominate', {
      lift: 3,
      sets: sized({ short: 250, full: 2000 }),
    })
    expect(bounds.rate, inWords(bounds)).toBeGreaterThan(allowed(DELTA, bounds))
  })

  test('acting on a cell that may be right often enough, by an upper limit', () => {
    const below = { truth: 'below the threshold', rows: 300, lattice: 8, luck: 'one' } as const
    const { harm } = simulate(below, 'nominate', { lift: 9.5, sets: sized({ short: 80, full: 600 }) })
    expect(harm.rate, inWords(harm)).toBeGreaterThan(allowed(BUDGETS.nominate.shortfall, harm))
  })

  test('survivors of a region that was fitted on their own labels', () => {
    const random = seededRandom(3)
    const threshold = 0.9
    const failures = Array.from({ length: SETS }, () => {
      // Forty states, all exactly on the threshold. The region keeps those whose own labels look good.
      const states = Array.from({ length: 40 }, () => Array.from({ length: 10 }, () => (random() < threshold ? 1 : 0)))
      const kept = states.filter((labels) => sum(labels) / labels.length >= threshold).flat()
      return kept.length > 0 && clopperPearsonLower(sum(kept), kept.length, DELTA) > threshold ? 1 : 0
    })
    const found = failureRate(
      failures,
      failures.map(() => 1),
    )
    expect(found.rate, inWords(found)).toBeGreaterThan(allowed(DELTA, found))
  })
})

interface Outcome {
  /** Share of tested debates with some bound above the truth of its cell. */
  readonly bounds: FailureRate
  /** Chance to be wrong when acting, less alpha. At most the shortfall. */
  readonly harm: FailureRate
}

function simulate(
  { truth: name, rows, lattice, luck, sets: ownSets = SETS }: Scenario,
  variant: 'path' | 'nominate',
  { lift = 1, sets = ownSets } = {},
): Outcome {
  const { alpha, threshold } = BUDGETS[variant]
  const random = seededRandom(41)
  const paths = allPaths(lattice).map((scores): Path => {
    return { scores, chances: [1, 2, 3].map((round) => PATH_TRUTHS[name]!(scores.slice(0, round), threshold)) }
  })
  const failed: number[] = []
  const looked: number[] = []
  const excess: number[] = []
  for (let set = 0; set < sets; set++) {
    const neighbours = drawScores(paths, rows, luck, random)
    const pilot = drawScores(paths, Math.ceil(rows / 2), luck, random)
    const design = chooseDesign(variant, pilot, () => ({ threshold, delta: DELTA, neighbours: rows }))
    const { find } = countCells(design, neighbours, (lift * DELTA) / looksOf(design), threshold)
    const truths = cellTruths(design, paths)
    const tally = { failed: 0, looked: 0, excess: 0 }
    for (let asked = 0; asked < QUERIES; asked++) {
      const path = paths[Math.floor(random() * paths.length)]!
      const looks = [1, 2, 3].map((round) => {
        const found = find({ scores: path.scores, excluded: [0, 0, 0], kinds: [0, 0, 0] }, round)
        if (found.kind !== 'cell' || found.cell.rows === 0) return null
        return { round, lower: found.cell.lower, truth: truths.get(keyOf(design, path, round))! }
      })
      const isHigh = (look: (typeof looks)[number]) => look !== null && look.lower > look.truth + 1e-12
      if (looks.some((look) => look !== null)) tally.looked++
      if (looks.some(isHigh)) tally.failed++
      const acted = looks.find((look) => look !== null && look.lower >= threshold)
      if (acted) tally.excess += 1 - path.chances[acted.round - 1]! - alpha
    }
    failed.push(tally.failed)
    looked.push(tally.looked)
    excess.push(tally.excess)
  }
  return {
    bounds: failureRate(failed, looked),
    harm: failureRate(
      excess,
      excess.map(() => QUERIES),
    ),
  }
}

function allPaths(lattice: number): number[][] {
  const scores = Array.from({ length: lattice }, (_, step) =>
    lattice === 1 ? 0.95 : 0.3 + (0.7 * step) / (lattice - 1),
  )
  return scores.flatMap((a) => scores.flatMap((b) => scores.map((c) => [a, b, c])))
}

function drawScores(paths: readonly Path[], rows: number, luck: Scenario['luck'], random: Random): CellRows {
  const scores = new Float64Array(rows * ROUNDS)
  const correct = new Uint8Array(rows * ROUNDS)
  for (let row = 0; row < rows; row++) {
    const path = paths[Math.floor(random() * paths.length)]!
    const first = random()
    for (let round = 0; round < ROUNDS; round++) {
      const drawn = luck === 'fresh' ? random() : luck === 'opposed' && round % 2 === 1 ? 1 - first : first
      scores[row * ROUNDS + round] = path.scores[round]!
      correct[row * ROUNDS + round] = drawn < path.chances[round]! ? 1 : 0
    }
  }
  const none = { excluded: new Uint8Array(scores.length), kinds: new Uint16Array(scores.length) }
  return { rows, rounds: ROUNDS, scores, ...none, right: correct }
}

/** Average truth of every cell over the paths in it. */
function cellTruths(design: CellDesign, paths: readonly Path[]): Map<number, number> {
  const sums = new Map<number, { total: number; count: number }>()
  for (const path of paths) {
    for (let round = 1; round <= ROUNDS; round++) {
      const key = keyOf(design, path, round)
      const found = sums.get(key) ?? { total: 0, count: 0 }
      found.total += path.chances[round - 1]!
      found.count++
      sums.set(key, found)
    }
  }
  return new Map(Array.from(sums, ([key, { total, count }]) => [key, total / count]))
}

/** The cell by its definition: the bins of all rounds so far, as digits. For a nomination all but the last are 0. */
function keyOf({ cuts }: CellDesign, { scores }: Path, round: number): number {
  let key = 0
  for (let at = 0; at < round; at++) key = 1000 * key + binOf(cuts[at]!, scores[at]!, 0) + 1
  return key
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
