import { featureLayout, featureRows } from '../scores/features.ts'
import { type FittedScore, fitScore, type Score, scoreRows } from '../scores/score.ts'
import { renumbered } from '../total/stopping-rows.ts'
import type { ReadDebate } from './read-debates.ts'

/** Labelled debates, some of which (the pilot) fit a score. */
export interface TaughtDebates {
  readonly debates: readonly ReadDebate[]
  readonly rounds: number
  /** Row-major: 1 where the panel's answer after that round was right. */
  readonly correct: Uint8Array
  /** Names of the agents of each round; null where rows differ. */
  readonly agents: readonly (readonly string[] | null)[]
  /** Key of each row's question; null if every row is its own question. */
  readonly questions: readonly string[] | null
  readonly pilot: readonly number[]
  /** Seed of the random folds. */
  readonly seed: number
  /** Fold of each pilot row; null if folds are random. */
  readonly folds: Uint8Array | null
}

/**
 * The score of debates, fitted on pilot rows only once. `total`, learn-then-test and conformal risk control on one
 * training half share it, and so does any other policy with the same pilot and folds.
 */
export function fitDebateScore(labelled: TaughtDebates): FittedScore {
  const { debates, pilot, seed, folds, questions } = labelled
  const taught = pilot.map((row) => debates[row]!)
  const asked = questions && pilot.map((row) => questions[row]!)
  const known = KNOWN.get(debates)
  // Compares the debates themselves, not their positions, since an array may be refilled.
  const isKnown =
    known?.seed === seed &&
    isSame(known.taught, taught) &&
    isSame(known.asked ?? [], asked ?? []) &&
    isSame(known.folds ?? [], folds ?? [])
  if (isKnown) return known.fitted
  const fitted = fit(labelled)
  KNOWN.set(debates, { seed, folds, taught, asked, fitted })
  return fitted
}

interface KnownScore {
  readonly seed: number
  readonly folds: Uint8Array | null
  readonly taught: readonly ReadDebate[]
  /** Keys of their questions. */
  readonly asked: readonly string[] | null
  readonly fitted: FittedScore
}

/** For each array of debates, the score of its most recent pilot. */
const KNOWN = new WeakMap<readonly ReadDebate[], KnownScore>()

function isSame(left: ArrayLike<unknown>, right: ArrayLike<unknown>): boolean {
  if (left.length !== right.length) return false
  for (let at = 0; at < left.length; at++) if (left[at] !== right[at]) return false
  return true
}

function fit({ debates, rounds, correct, agents, questions, pilot, seed, folds }: TaughtDebates): FittedScore {
  const layout = featureLayout(
    agents,
    pilot.map((row) => debates[row]!.record.group),
  )
  const features = featureRows(
    layout,
    pilot.map((row) => featureSource(debates[row]!)),
  )!
  const right = new Uint8Array(pilot.length * rounds)
  for (const [at, row] of pilot.entries()) right.set(rightOf({ debates, rounds, correct }, row), at * rounds)
  return fitScore(
    { features, layout, right, questions: questions && renumbered(pilot.map((row) => questions[row]!)), folds },
    seed,
  )
}

/** Labels of a row, one per round. A round that did not take place has the label of the last one that did. */
export function rightOf(
  { debates, rounds, correct }: Pick<TaughtDebates, 'debates' | 'rounds' | 'correct'>,
  row: number,
): Uint8Array {
  const count = debates[row]!.record.rounds.length
  return Uint8Array.from({ length: rounds }, (_, round) => correct[row * rounds + Math.min(round, count - 1)]!)
}

/** Scores of rounds 1..t of every debate, row-major; null if a debate has other agents than the score was fitted on. */
export function debateScores(score: Score, debates: readonly ReadDebate[], round: number): Float64Array | null {
  const features = featureRows(score.layout, debates.map(featureSource), round)
  return features && scoreRows(score, features)
}

function featureSource({ rounds, record }: ReadDebate) {
  return { rounds, group: record.group }
}
