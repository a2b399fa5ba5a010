import { calibrate, isRightAt, type ReadDebates, replay } from '@quorate/certificate'
import { usualBudget } from './budgets.ts'
import { numpyPermutation } from './numpy-permutation.ts'
import { type Draws, pickDebates } from './worlds.ts'

/** Betas at which the prototype of `total` prints its figures. */
export const PROTOTYPE_BETAS = [0.05, 0.1, 0.15, 0.2] as const

/** `total` on the half that the prototype tests on. */
export interface PrototypeSplit {
  /** Debates in the test half. */
  readonly debates: number
  /** At each of PROTOTYPE_BETAS. */
  readonly points: readonly { readonly acted: number; readonly wrong: number }[]
}

/** Calibrates on the half and pilot of the prototype. `draws` chooses whose folds the pilot has. */
export function measurePrototypeSplit(read: ReadDebates, seed: number, draws: Draws): PrototypeSplit {
  const { train, test, pilot, folds } = prototypeHalves(read, seed)
  const isPilot = new Set(pilot)
  const placeOf = new Map(train.map((row, at) => [row, at]))
  const split = {
    pilot: pilot.map((row) => placeOf.get(row)!),
    neighbours: train.filter((row) => !isPilot.has(row)).map((row) => placeOf.get(row)!),
    ...(draws === 'ours' ? {} : { folds }),
  }
  const certificate = calibrate(pickDebates(read, train), { profile: 'total', budget: usualBudget(0.1), split })
  const held = pickDebates(read, test)
  const replayed = replay(certificate, held)
  const points = PROTOTYPE_BETAS.map((beta) => {
    const acts = [...replayed.at(usualBudget(beta)).actedAt].flatMap((round, at) => (round === 0 ? [] : { round, at }))
    return { acted: acts.length, wrong: acts.filter(({ round, at }) => !isRightAt(held.debates[at]!, round)).length }
  })
  return { debates: test.length, points }
}

interface PrototypeHalves {
  readonly train: readonly number[]
  readonly test: readonly number[]
  /** Pilot rows, among those in `train`. */
  readonly pilot: readonly number[]
  /** Fold of each pilot row. */
  readonly folds: readonly number[]
}

const PILOT_SEED = 1000
const FOLD_SEED = 5
const FOLDS = 5
const SMALL_SET = 600

/**
 * Halves by question, as the prototype draws them. It sorts questions by name, and a row without a question is named by
 * its position.
 */
export function prototypeHalves({ debates }: ReadDebates, seed: number): PrototypeHalves {
  const names = debates.map(({ record }, row) => (record.questionOf === null ? `row ${row}` : `q ${record.questionOf}`))
  const rows = Array.from(debates.keys())
  const train = drawn(names, rows, seed, 0.5)
  const isTrain = new Set(train)
  const pilot = drawn(names, train, seed + PILOT_SEED, train.length < SMALL_SET ? 0.35 : 0.2)
  return { train, test: rows.filter((row) => !isTrain.has(row)), pilot, folds: foldsOf(names, pilot) }
}

function drawn(names: readonly string[], rows: readonly number[], seed: number, share: number): number[] {
  const questions = questionsOf(names, rows)
  const picked = numpyPermutation(questions.length, seed).slice(0, roundedToEven(share * questions.length))
  const isPicked = new Set(picked.map((at) => questions[at]!))
  return rows.filter((row) => isPicked.has(names[row]!))
}

function foldsOf(names: readonly string[], pilot: readonly number[]): number[] {
  const questions = questionsOf(names, pilot)
  const places = numpyPermutation(questions.length, FOLD_SEED)
  const foldOf = new Map(questions.map((name, at) => [name, Math.floor((places[at]! * FOLDS) / questions.length)]))
  return pilot.map((row) => foldOf.get(names[row]!)!)
}

function questionsOf(names: readonly string[], rows: readonly number[]): string[] {
  return [...new Set(rows.map((row) => names[row]!))].sort()
}

/** Rounds like Python: a half goes to the even neighbour. */
function roundedToEven(value: number): number {
  const below = Math.floor(value)
  const rest = value - below
  return rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below
}
