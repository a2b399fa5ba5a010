import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { confidence } from '../../src/knn/confidence.ts'
import type { Concentration } from '../../src/knn/knn-options.ts'
import { countLooks } from '../../src/knn/local-evidence.ts'
import { kdTreeIndex } from '../../src/neighbours/kd-tree-index.ts'
import { oscillationSum, type Ties } from '../../src/neighbours/neighbour-index.ts'
import { seededRandom } from '../../src/random.ts'
import { allowed, type FailureRate, failureRate, inWords } from './failure-rate.ts'
import { type Dependence, drawRow, type StateKind, TRUTHS, type TruthName } from './truths.ts'

/**
 * The statistical half of the k-NN bound, for every truth and with no envelope at all: over all rounds and all
 * neighbourhood sizes at once, the confidence bound exceeds the mean correctness of the neighbourhood with probability
 * at most delta.
 */
const DELTA = 0.1
const ROUNDS = 3
const SETS = sized({ short: 60, full: 2000 })
/** Of the test that its companion must fail, which forgets looks. Fewer would not show the difference. */
const FORGETTING_SETS = sized({ short: 400, full: 2000 })
const QUERIES = 20

interface Scenario {
  readonly truth: TruthName
  readonly states: StateKind
  readonly dependence: Dependence
  readonly rows: number
  readonly sets?: number
}

const scenarios: Scenario[] = [
  { truth: 'flat', states: 'continuous', dependence: 'independent', rows: 200 },
  { truth: 'flat', states: 'lumpy', dependence: 'negative', rows: 1000 },
  { truth: 'flat', states: 'equal', dependence: 'persistent', rows: 200 },
  { truth: 'flat', states: 'equal', dependence: 'independent', rows: 1000, sets: FORGETTING_SETS },
  { truth: 'sloped', states: 'continuous', dependence: 'negative', rows: 1000 },
  { truth: 'sloped', states: 'lumpy', dependence: 'persistent', rows: 200 },
  { truth: 'steep', states: 'continuous', dependence: 'persistent', rows: 400 },
  { truth: 'steep', states: 'lumpy', dependence: 'independent', rows: 1000 },
  { truth: 'stepped', states: 'continuous', dependence: 'independent', rows: 1000 },
  { truth: 'stepped', states: 'lumpy', dependence: 'negative', rows: 200 },
  { truth: 'hump', states: 'continuous', dependence: 'negative', rows: 400 },
  { truth: 'hump', states: 'lumpy', dependence: 'independent', rows: 400 },
  { truth: 'dip', states: 'continuous', dependence: 'persistent', rows: 1000 },
  { truth: 'dip', states: 'continuous', dependence: 'independent', rows: 5000 },
]

describe('the bound on a neighbourhood mean fails at most delta of the time', () => {
  test.each(scenarios)('$truth truth, $states states, $dependence rounds, n = $rows', (scenario) => {
    const found = simulate(scenario, { concentration: 'clopper-pearson', ties: 'include', looks: 'distinct' })
    expect(found.rate, inWords(found)).toBeLessThanOrEqual(allowed(DELTA, found))
  })

  test.each([
    { concentration: 'hoeffding', ties: 'index', looks: 'family' },
    { concentration: 'empirical-bernstein', ties: 'include', looks: 'distinct' },
  ] as const)('also with $concentration, ties $ties, looks $looks', (choice) => {
    const found = simulate({ truth: 'sloped', states: 'lumpy', dependence: 'negative', rows: 400 }, choice)
    expect(found.rate, inWords(found)).toBeLessThanOrEqual(allowed(DELTA, found))
  })
})

describe('companions that must fail, or the suite could not', () => {
  test('a level ten times too high fails', () => {
    const choice = { concentration: 'clopper-pearson', ties: 'include', looks: 'distinct', lift: 10 } as const
    const found = simulate({ truth: 'flat', states: 'continuous', dependence: 'independent', rows: 200 }, choice)
    expect(found.rate, inWords(found)).toBeGreaterThan(allowed(DELTA, found))
  })

  test('forgetting that every round is a look fails', () => {
    const choice = { concentration: 'clopper-pearson', ties: 'include', looks: 'distinct', lift: ROUNDS } as const
    const sets = FORGETTING_SETS
    const found = simulate({ truth: 'flat', states: 'equal', dependence: 'independent', rows: 1000, sets }, choice)
    expect(found.rate, inWords(found)).toBeGreaterThan(allowed(DELTA, found))
  })
})

interface Choice {
  readonly concentration: Concentration
  readonly ties: Ties
  readonly looks: 'family' | 'distinct'
  /** By how much the level is knowingly too high. */
  readonly lift?: number
}

function simulate(scenario: Scenario, { concentration, ties, looks, lift = 1 }: Choice): FailureRate {
  const { truth: name, states, dependence, rows, sets = SETS } = scenario
  const truth = TRUTHS[name]
  const random = seededRandom(20261115)
  const kFamily = [32, 64, 128].filter((k) => k <= rows)
  const confident = confidence({
    concentration,
    variance: 'unbiased',
    failure: Math.min(0.49, (lift * DELTA) / ROUNDS),
  })
  const failures: number[] = []
  const query = new Float64Array(1)
  for (let set = 0; set < sets; set++) {
    const drawn = Array.from({ length: rows }, () => drawRow(truth, states, dependence, ROUNDS, random))
    const indexes = Array.from({ length: ROUNDS }, (_, round) => {
      const points = Float64Array.from(drawn, (row) => row.states[round]!)
      const correct = Uint8Array.from(drawn, (row) => row.correct[round]!)
      return kdTreeIndex({ points, dimension: 1, correct, smoothed: points.map(truth.at) }, ties)
    })
    let failed = 0
    for (let asked = 0; asked < QUERIES; asked++) {
      const fresh = drawRow(truth, states, dependence, ROUNDS, random)
      const isWrong = indexes.some((index, round) => {
        query[0] = fresh.states[round]!
        // With centre 0 the oscillation is the sum of the true correctness over the neighbourhood.
        const { counts, successes, sums } = index.search(query, kFamily, oscillationSum(0))
        const looked = countLooks(counts, kFamily.length, looks)
        return counts.some((count, slot) => confident(successes[slot]!, count, looked) > sums[slot]! / count + 1e-12)
      })
      if (isWrong) failed++
    }
    failures.push(failed)
  }
  return failureRate(
    failures,
    failures.map(() => QUERIES),
  )
}
