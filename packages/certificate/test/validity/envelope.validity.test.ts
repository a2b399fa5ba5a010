import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { fitCertificate } from '../../src/certificate/fit-certificate.ts'
import type { EnvelopeChoice } from '../../src/knn/knn-options.ts'
import { seededRandom } from '../../src/random.ts'
import { allowed, type FailureRate, failureRate, inWords } from './failure-rate.ts'
import { type Dependence, drawRow, type StateKind, TRUTHS, type TruthName } from './truths.ts'

/** The whole k-NN certificate against the truth it bounds: P(some round: L_t > q_t) <= delta. */
const DELTA = 0.1
const QUERIES = 20
const SETS = sized({ short: 100, full: 2000 })
/** Where a set has many rows. */
const LARGE_SETS = sized({ short: 20, full: 300 })

interface Scenario {
  readonly truth: TruthName
  readonly states: StateKind
  readonly dependence: Dependence
  readonly rows: number
  readonly rounds: number
  readonly sets: number
}

describe('with a true envelope the certificate fails at most delta of the time', () => {
  test.each<Omit<Scenario, 'rounds' | 'sets'>>([
    { truth: 'flat', states: 'continuous', dependence: 'negative', rows: 1000 },
    { truth: 'sloped', states: 'continuous', dependence: 'independent', rows: 400 },
    { truth: 'steep', states: 'continuous', dependence: 'independent', rows: 1000 },
    { truth: 'hump', states: 'lumpy', dependence: 'persistent', rows: 1000 },
    { truth: 'hump', states: 'continuous', dependence: 'negative', rows: 200 },
    { truth: 'stepped', states: 'lumpy', dependence: 'independent', rows: 400 },
  ])('$truth truth, $states states, $dependence rounds, n = $rows', (drawn) => {
    const { lipschitz, range } = TRUTHS[drawn.truth]
    // On states a tenth apart a step of the whole range has this slope.
    const envelope = { lipschitz: lipschitz ?? 10 * range }
    const found = simulate({ ...drawn, rounds: 3, sets: SETS }, { envelope, cdf: 'none' })
    expect(found.rate, inWords(found)).toBeLessThanOrEqual(allowed(DELTA, found))
  })

  test('no envelope over a wide neighbourhood fails: the assumption is needed, and a false one shows', () => {
    const scenario = {
      truth: 'steep',
      states: 'lumpy',
      dependence: 'independent',
      rows: 5000,
      rounds: 1,
      sets: LARGE_SETS,
    } as const
    const found = simulate(scenario, { envelope: 'none', cdf: 'none', kFamily: [2000] })
    expect(found.rate, inWords(found)).toBeGreaterThan(allowed(DELTA, found))
  })
})

/** Learned envelopes are plug-ins without a proof. These are their observed failure rates (1-D, one round, delta .03). */
describe('the envelope of the tight profile, learned from pilot labels', () => {
  const base = { states: 'continuous', dependence: 'independent', rounds: 1, sets: SETS } as const

  test.each<TruthName>(['flat', 'sloped', 'steep', 'stepped', 'hump'])('holds on the %s truth, n = 1,000', (truth) => {
    const found = simulate({ ...base, rows: 1000, truth }, {}, 0.03)
    expect(found.rate, inWords(found)).toBeLessThanOrEqual(allowed(0.03, found))
  })

  test.each<TruthName>(['stepped', 'hump'])('holds on the %s truth, n = 5,000', (truth) => {
    const found = simulate({ ...base, rows: 5000, sets: LARGE_SETS, truth }, {}, 0.03)
    expect(found.rate, inWords(found)).toBeLessThanOrEqual(allowed(0.03, found))
  })

  test('is too small on the stepped truth with 40 pilot rows: budgetSentences warns below 100', () => {
    const found = simulate({ ...base, rows: 200, truth: 'stepped', sets: sized({ short: 1000, full: 2000 }) }, {}, 0.03)
    expect(found.rate, inWords(found)).toBeGreaterThan(allowed(0.03, found))
    expect(found.rate, inWords(found)).toBeLessThan(0.1)
  })

  test('is broken by a dip of 2 % of the states, at the states of the dip: the known limit of smoothness', () => {
    const found = simulate(
      { ...base, rows: 1000, truth: 'dip', sets: sized({ short: 50, full: 400 }) },
      {},
      0.03,
      (state) => state >= 0.8 && state < 0.82,
    )
    expect(found.rate, inWords(found)).toBeGreaterThan(0.5)
  })
})

interface Overrides {
  readonly envelope?: EnvelopeChoice
  readonly cdf?: 'none'
  readonly kFamily?: readonly number[]
}

function simulate(
  scenario: Scenario,
  overrides: Overrides,
  delta = DELTA,
  isAsked: (state: number) => boolean = () => true,
): FailureRate {
  const { states, dependence, rows, rounds, sets } = scenario
  const truth = TRUTHS[scenario.truth]
  const random = seededRandom(7)
  const budget = { beta: 0.3, delta, epsilon: 0.02 }
  const draw = () => drawRow(truth, states, dependence, rounds, random)
  const failures: number[] = []
  for (let set = 0; set < sets; set++) {
    const drawn = Array.from({ length: rows }, draw)
    const data = Array.from({ length: rounds }, (_, round) => ({
      states: { values: Float64Array.from(drawn, (row) => row.states[round]!), dimension: 1 },
      correct: Uint8Array.from(drawn, (row) => row.correct[round]!),
    }))
    const split = { pilotFraction: 0.2, seed: set }
    const certificate = fitCertificate(
      { rounds: data },
      { profile: 'tight', kFamily: [32, 64, 128, 256], budget, split, ...overrides },
    )
    let failed = 0
    for (let asked = 0; asked < QUERIES; asked++) {
      let fresh = draw()
      while (!isAsked(fresh.states[0]!)) fresh = draw()
      const isWrong = fresh.states.some((state, round) => {
        const [lower] = certificate.bounds(round + 1, [[state]])
        return lower! > truth.at(state) + 1e-12
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
