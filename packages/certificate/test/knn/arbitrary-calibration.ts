import fc from 'fast-check'
import type { Budget } from '../../src/budget.ts'
import type { KnnOptions, KnnProfile } from '../../src/knn/knn-options.ts'
import type { Split } from '../../src/knn/split-rows.ts'
import { permutation, seededRandom } from '../../src/random.ts'

/** The drawn settings. The numbers themselves follow from the seed, so a failure shrinks to few rows. */
export interface CalibrationCase {
  readonly seed: number
  readonly rows: number
  readonly dimension: number
  readonly rounds: number
  readonly kind: 'continuous' | 'lumpy' | 'equal'
}

export interface Calibration {
  readonly rounds: readonly { readonly states: number[][]; readonly correct: number[] }[]
  readonly split: Split
  /** Seen and unseen states, inside and outside the range. */
  readonly queries: readonly number[][]
}

export const calibrationCase: fc.Arbitrary<CalibrationCase> = fc.record({
  seed: fc.nat({ max: 2 ** 31 }),
  rows: fc.integer({ min: 12, max: 90 }),
  dimension: fc.integer({ min: 1, max: 3 }),
  rounds: fc.integer({ min: 1, max: 3 }),
  kind: fc.constantFrom('continuous', 'lumpy', 'equal'),
})

/** Correctness rises with the first coordinate; half of the rows are pilot rows, in no order. */
export function drawCalibration({ seed, rows, dimension, rounds, kind }: CalibrationCase): Calibration {
  const random = seededRandom(seed)
  const value = () => {
    if (kind === 'equal') return 0.5
    return kind === 'lumpy' ? Math.floor(random() * 4) / 4 : random()
  }
  const state = () => Array.from({ length: dimension }, value)
  const order = [...permutation(rows, random)]
  const pilot = order.slice(0, rows >> 1)
  const drawn = Array.from({ length: rounds }, () => {
    const states = Array.from({ length: rows }, state)
    const correct = states.map(([first]) => (random() < 0.4 + 0.5 * first! ? 1 : 0))
    // Both classes of labels among the pilot rows, without which there is no envelope.
    correct[pilot[0]!] = 0
    correct[pilot[1]!] = 1
    return { states, correct }
  })
  const unseen = () => Array.from({ length: dimension }, () => random() * 1.2 - 0.1)
  return {
    rounds: drawn,
    split: { pilot, neighbours: order.slice(rows >> 1) },
    queries: [...drawn[0]!.states.slice(0, 4), unseen(), unseen(), state()],
  }
}

export const BUDGET: Budget = { beta: 0.3, delta: 0.05, epsilon: 0.02 }

export type Choices = KnnOptions & { readonly profile: KnnProfile }

export const choices: fc.Arbitrary<Choices> = fc.record({
  profile: fc.constantFrom('paper', 'tight'),
  kFamily: fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
  concentration: fc.constantFrom('hoeffding', 'empirical-bernstein', 'clopper-pearson'),
  envelope: fc.constantFrom<KnnOptions['envelope'][]>(
    'none',
    'modulus',
    'mean-modulus',
    'pilot-oscillation',
    { lipschitz: 0.7 },
    { holder: [0.5, 0.4] },
    { oscillation: 0.1 },
  ),
  smoother: fc.constantFrom('gam', 'isotonic'),
  rho: fc.constantFrom(1, 1.3, 2),
  ties: fc.constantFrom('include', 'index'),
  cdf: fc.constantFrom('step', 'interpolated', 'none'),
  modulusTable: fc.constantFrom('linear', 'upward'),
  looks: fc.constantFrom('family', 'distinct'),
  alphaRule: fc.constant('printed'),
})
