import { permutation, type ReadDebates, readDebates, seededRandom } from '@quorate/certificate'
import { type RecordedName, readRecorded } from '../data/recorded.ts'
import { simulateTruth } from '../truths/simulate-truth.ts'
import type { TruthName } from '../truths/truths.ts'

/** Where a policy is tested: a recorded set in random halves, or a simulated truth drawn anew. */
export type World =
  | { readonly kind: 'recorded'; readonly name: RecordedName }
  | { readonly kind: 'simulated'; readonly name: TruthName }

/** One calibration set and one test set, which share no question. */
export interface Draw {
  readonly train: ReadDebates
  readonly test: ReadDebates
  /** Number of each test question within the world. In a simulation no question occurs twice. */
  readonly questions: Uint32Array
  /** Row-major: chance that the panel's answer after each round is right; 0 or 1 for a recorded answer. */
  readonly chances: Float64Array
}

/** Seeds of the ten random 50/50 splits of the paper's protocol. */
export const SPLIT_SEEDS = [7, 11, 13, 17, 19, 23, 29, 31, 37, 41] as const

/** Debates in each half of a simulated draw. */
export const SIMULATED_HALF = 3000

/** Reads a world once; each seed then gives a draw. */
export function openWorld(world: World): (seed: number) => Draw {
  if (world.kind === 'simulated') return (seed) => drawSimulated(world.name, seed)
  const { debates, reading } = readDebates(readRecorded(world.name))
  return (seed) => {
    const { train, test } = halves(debates.length, seed)
    const taken = Array.from(test, (row) => debates[row]!)
    const chances = taken.flatMap(({ record, rounds }) =>
      rounds.map(({ prediction }) => Number(prediction === record.gold)),
    )
    return {
      train: { debates: Array.from(train, (row) => debates[row]!), reading },
      test: { debates: taken, reading },
      questions: test,
      chances: Float64Array.from(chances),
    }
  }
}

/** A random half of the rows for calibration and the other for testing. */
export function halves(count: number, seed: number): { train: Uint32Array; test: Uint32Array } {
  const order = permutation(count, seededRandom(seed))
  const middle = Math.floor(count / 2)
  return { train: order.slice(0, middle), test: order.slice(middle) }
}

function drawSimulated(name: TruthName, seed: number): Draw {
  const drawn = simulateTruth(name, 2 * SIMULATED_HALF, seed)
  const { debates, reading } = readDebates(drawn.map(({ debate }) => debate))
  const test = debates.slice(SIMULATED_HALF)
  return {
    train: { debates: debates.slice(0, SIMULATED_HALF), reading },
    test: { debates: test, reading },
    questions: Uint32Array.from(test, (_, row) => seed * SIMULATED_HALF + row),
    chances: Float64Array.from(
      test.flatMap(({ rounds }, row) => rounds.map(() => drawn[SIMULATED_HALF + row]!.chance)),
    ),
  }
}
