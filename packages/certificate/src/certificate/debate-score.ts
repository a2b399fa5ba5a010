import { featureLayout, featureRows } from '../scores/features.ts'
import { type FittedScore, fitScore, type Score, scoreRows } from '../scores/score.ts'
import { renumbered } from '../total/stopping-rows.ts'
import type { ReadPanel } from './panel.ts'

/** Labelled debates of which some teach a score. */
export interface TaughtDebates {
  readonly panels: readonly ReadPanel[]
  readonly rounds: number
  /** Row-major: 1 where the panel's answer of that round was right. */
  readonly correct: Uint8Array
  /** Names of the agents of each round; null where rows differ. */
  readonly agents: readonly (readonly string[] | null)[]
  /** Key of each row's question; null where every row is its own. */
  readonly questions: readonly string[] | null
  readonly pilot: readonly number[]
  /** Of the folds that are drawn. */
  readonly seed: number
  /** Of each pilot row; null: drawn. */
  readonly folds: Uint8Array | null
}

/**
 * The score of debates, fitted on pilot rows once however often it is asked for: `total`, learn-then-test and conformal risk
 * control of one training half differ in what they make of it, not in the score.
 */
export function fitDebateScore(debates: TaughtDebates): FittedScore {
  const { panels, pilot, seed, folds, questions } = debates
  const taught = pilot.map((row) => panels[row]!)
  const asked = questions && pilot.map((row) => questions[row]!)
  const known = KNOWN.get(panels)
  // The very panels are compared, not their places: an array may be refilled.
  const isKnown =
    known?.seed === seed &&
    isSame(known.taught, taught) &&
    isSame(known.asked ?? [], asked ?? []) &&
    isSame(known.folds ?? [], folds ?? [])
  if (isKnown) return known.fitted
  const fitted = fit(debates)
  KNOWN.set(panels, { seed, folds, taught, asked, fitted })
  return fitted
}

interface KnownScore {
  readonly seed: number
  readonly folds: Uint8Array | null
  readonly taught: readonly ReadPanel[]
  /** Their questions. */
  readonly asked: readonly string[] | null
  readonly fitted: FittedScore
}

/** For each array of panels, the score of the pilot that was asked for last. */
const KNOWN = new WeakMap<readonly ReadPanel[], KnownScore>()

function isSame(left: ArrayLike<unknown>, right: ArrayLike<unknown>): boolean {
  if (left.length !== right.length) return false
  for (let at = 0; at < left.length; at++) if (left[at] !== right[at]) return false
  return true
}

function fit({ panels, rounds, correct, agents, questions, pilot, seed, folds }: TaughtDebates): FittedScore {
  const layout = featureLayout(
    agents,
    pilot.map((row) => panels[row]!.record.group),
  )
  const features = featureRows(
    layout,
    pilot.map((row) => featureSource(panels[row]!)),
  )!
  const right = new Uint8Array(pilot.length * rounds)
  for (const [at, row] of pilot.entries()) right.set(rightOf({ panels, rounds, correct }, row), at * rounds)
  return fitScore(
    { features, layout, right, questions: questions && renumbered(pilot.map((row) => questions[row]!)), folds },
    seed,
  )
}

/** Labels of a row, one for each round. A round that was not held has the label of the last one that was. */
export function rightOf(
  { panels, rounds, correct }: Pick<TaughtDebates, 'panels' | 'rounds' | 'correct'>,
  row: number,
): Uint8Array {
  const count = panels[row]!.record.rounds.length
  return Uint8Array.from({ length: rounds }, (_, round) => correct[row * rounds + Math.min(round, count - 1)]!)
}

/** Scores of rounds 1..t of every debate, row-major; null where a debate has other agents than those that were learned. */
export function debateScores(score: Score, panels: readonly ReadPanel[], round: number): Float64Array | null {
  const features = featureRows(score.layout, panels.map(featureSource), round)
  return features && scoreRows(score, features)
}

function featureSource({ rounds, record }: ReadPanel) {
  return { rounds, group: record.group }
}
