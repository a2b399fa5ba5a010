import { fitLearnedScore, type LearnedFeatures, type LearnedScore, type PilotRow } from '../states/learned-state.ts'
import type { ReadPanel } from './panel.ts'
import { prefixOf } from './step.ts'

/** Labelled debates, and those of them that teach. */
export interface PilotRows {
  readonly panels: readonly ReadPanel[]
  readonly rounds: number
  /** Row-major: 1 where the panel's answer of that round was right. */
  readonly correct: Uint8Array
  readonly pilot: readonly number[]
}

/** The pilot rows up to a round. */
export function pilotRows({ panels, rounds, correct, pilot }: PilotRows, round: number): PilotRow[] {
  return pilot.map((row) => ({
    prefix: prefixOf(panels[row]!, round),
    group: panels[row]!.record.group,
    correct: correct[row * rounds + round - 1]!,
  }))
}

/**
 * The learned score of a round, fitted once however often it is asked for: cells and tight of one
 * training half differ in what they make of it, not in the score.
 */
export function fitPilotScore(rows: PilotRows, round: number, sees: LearnedFeatures): LearnedScore | null {
  const scores = knownScores(rows)
  const key = `${round} ${sees}`
  let score = scores.get(key)
  if (score === undefined) {
    score = fitLearnedScore(pilotRows(rows, round), sees)
    scores.set(key, score)
  }
  return score
}

type KnownScores = Map<string, LearnedScore | null>

/** For each array of panels, the scores of the pilot that was asked for last. */
const KNOWN = new WeakMap<readonly ReadPanel[], { pilot: readonly ReadPanel[]; scores: KnownScores }>()

/** The very panels are compared, not their places: an array may be filled anew. */
function knownScores({ panels, pilot }: PilotRows): KnownScores {
  const known = KNOWN.get(panels)
  const isSame = known?.pilot.length === pilot.length && pilot.every((row, at) => known.pilot[at] === panels[row])
  if (known && isSame) return known.scores
  const scores: KnownScores = new Map()
  KNOWN.set(panels, { pilot: pilot.map((row) => panels[row]!), scores })
  return scores
}
