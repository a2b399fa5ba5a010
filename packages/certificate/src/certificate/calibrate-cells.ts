import { canonicalDigest } from '../canonical/canonical-digest.ts'
import { sha256 } from '../canonical/sha256.ts'
import type { RoundScores } from '../cells/round-scores.ts'
import { choice } from '../choice.ts'
import { rowsByQuestion } from '../knn/split-rows.ts'
import { permutation, seededRandom } from '../random.ts'
import {
  fitLearnedScore,
  type LearnedFeatures,
  type LearnedScore,
  learnedLogOdds,
  type PilotRow,
  ROWS_FOR_ALL_FEATURES,
} from '../states/learned-state.ts'
import type { CalibrateOptions, LabelledPanels } from './calibrate.ts'
import { panelFingerprint } from './calibrate-knn.ts'
import { type CellsCertificate, cellsCertificate } from './cells-certificate.ts'
import { resolveGroupLevel, resolveSplit } from './fit-certificate.ts'
import { fitPilotScore, pilotRows } from './fit-pilot-score.ts'

const FOLDS = 5

export function calibrateCells(labelled: LabelledPanels, options: CalibrateOptions): CellsCertificate {
  const where = 'calibrate'
  const { panels, rounds, questions, reading } = labelled
  const { split, sampleSeed } = resolveSplit(where, { count: panels.length, questions }, options.split)
  const sees = labelled.agents.map((agents): LearnedFeatures => {
    if (split.pilot.length < ROWS_FOR_ALL_FEATURES) return 'path-only'
    return agents === null ? 'by-spread' : 'by-agent'
  })
  const pilot = { panels, rounds, correct: labelled.correct, pilot: split.pilot }
  const scores = sees.map((features, at) => fitPilotScore(pilot, at + 1, features))
  const scored = scoredRows(labelled, split.neighbours, scores)
  const folds = foldsOf(
    split.pilot.map((row) => questions?.[row] ?? panels[row]!.record.id),
    sampleSeed,
  )
  const held = scoredRounds(labelled, split.pilot, (at) => outOfFold(pilotRows(pilot, at + 1), folds, sees[at]!))
  return cellsCertificate({
    budget: options.budget,
    variant: choice(where, 'cells', options.cells ?? 'path', ['auto', 'path', 'nominate']),
    design: null,
    scores,
    split,
    pilot: held,
    neighbours: scored,
    neighbourGroups: split.neighbours.map((row) => panels[row]!.record.group ?? ''),
    groupConditional: options.groupConditional ?? false,
    groupLevel: resolveGroupLevel(where, 'cells', options.groupLevel),
    panel: reading,
    ids: panels.map(({ record }) => record.id),
    fingerprint: panelFingerprint(
      labelled,
      options,
      'cells',
      digest(
        panels.map(({ record }) => record.id),
        labelled,
        scored,
      ),
    ),
  })
}

/** Each pilot row scored by a regression that did not see it: in-sample scores look better than new ones will. */
function outOfFold(rows: readonly PilotRow[], folds: Uint8Array, sees: LearnedFeatures): number[] {
  const fits = Array.from({ length: FOLDS }, (_, fold) => {
    const others = rows.filter((_, row) => folds[row] !== fold)
    return others.length === 0 ? null : fitLearnedScore(others, sees)
  })
  return rows.map((row, at) => probability(fits[folds[at]!]!, row))
}

/** Runs of one question share a fold: a regression that saw one of them has seen the others. */
function foldsOf(questions: readonly string[], seed: number): Uint8Array {
  const blocks = rowsByQuestion(questions)
  const folds = new Uint8Array(questions.length)
  for (const [at, block] of permutation(blocks.length, seededRandom(seed)).entries()) {
    for (const row of blocks[block]!) folds[row] = at % FOLDS
  }
  return folds
}

function probability(score: LearnedScore | null, { prefix, group }: Pick<PilotRow, 'prefix' | 'group'>): number {
  const logOdds = score && learnedLogOdds(score, prefix, group)
  return logOdds === null ? Number.NaN : 1 / (1 + Math.exp(-logOdds))
}

/** Row after row: of many only one is looked at at a time. */
function scoredRows(
  { panels, rounds, correct }: LabelledPanels,
  rows: readonly number[],
  byRound: readonly (LearnedScore | null)[],
): RoundScores {
  const scores = new Float64Array(rows.length * rounds)
  for (const [at, row] of rows.entries()) {
    const panel = panels[row]!
    const { group } = panel.record
    const held = panel.rounds
    for (const [round, score] of byRound.entries()) {
      scores[at * rounds + round] = probability(score, { prefix: held.slice(0, round + 1), group })
    }
  }
  return { rows: rows.length, rounds, scores, correct: labelsOfRows(correct, rows, rounds) }
}

function scoredRounds(
  { rounds, correct }: LabelledPanels,
  rows: readonly number[],
  score: (round: number) => readonly number[],
): RoundScores {
  const scores = new Float64Array(rows.length * rounds)
  for (let round = 0; round < rounds; round++) {
    for (const [at, value] of score(round).entries()) scores[at * rounds + round] = value
  }
  return { rows: rows.length, rounds, scores, correct: labelsOfRows(correct, rows, rounds) }
}

function labelsOfRows(correct: Uint8Array, rows: readonly number[], rounds: number): Uint8Array {
  const labels = new Uint8Array(rows.length * rounds)
  for (const [at, row] of rows.entries()) labels.set(correct.subarray(row * rounds, (row + 1) * rounds), at * rounds)
  return labels
}

function digest(ids: readonly string[], { correct }: LabelledPanels, { scores }: RoundScores): string {
  return canonicalDigest([canonicalDigest(ids), sha256(correct), sha256(new Uint8Array(scores.buffer))])
}
