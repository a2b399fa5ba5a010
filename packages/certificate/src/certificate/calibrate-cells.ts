import { canonicalJson } from '../canonical/canonical-json.ts'
import { sha256 } from '../canonical/sha256.ts'
import type { RoundScores } from '../cells/round-scores.ts'
import { choice } from '../choice.ts'
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
  const rowsOf = (rows: readonly number[]) => ({ panels, rounds, correct: labelled.correct, pilot: rows })
  const scores = sees.map((features, at) => fitPilotScore(rowsOf(split.pilot), at + 1, features))
  const pilot = sees.map((_, at) => pilotRows(rowsOf(split.pilot), at + 1))
  const neighbours = sees.map((_, at) => pilotRows(rowsOf(split.neighbours), at + 1))
  const scored = gather(neighbours, (round, rows) => rows.map((row) => probability(scores[round]!, row)))
  const folds = foldsOf(split.pilot.length, sampleSeed)
  return cellsCertificate({
    budget: options.budget,
    variant: choice(where, 'cells', options.cells ?? 'path', ['auto', 'path', 'nominate']),
    design: null,
    scores,
    split,
    pilot: gather(pilot, (round, rows) => outOfFold(rows, folds, sees[round]!)),
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

function foldsOf(rows: number, seed: number): Uint8Array {
  const folds = new Uint8Array(rows)
  for (const [at, row] of permutation(rows, seededRandom(seed)).entries()) folds[row] = at % FOLDS
  return folds
}

function probability(score: LearnedScore | null, { prefix, group }: PilotRow): number {
  const logOdds = score && learnedLogOdds(score, prefix, group)
  return logOdds === null ? Number.NaN : 1 / (1 + Math.exp(-logOdds))
}

function gather(
  byRound: readonly (readonly PilotRow[])[],
  score: (round: number, rows: readonly PilotRow[]) => readonly number[],
): RoundScores {
  const rounds = byRound.length
  const rows = byRound[0]!.length
  const scores = new Float64Array(rows * rounds)
  const correct = new Uint8Array(rows * rounds)
  for (const [round, found] of byRound.entries()) {
    const values = score(round, found)
    for (const [row, { correct: label }] of found.entries()) {
      scores[row * rounds + round] = values[row]!
      correct[row * rounds + round] = label
    }
  }
  return { rows, rounds, scores, correct }
}

function digest(ids: readonly string[], { correct }: LabelledPanels, { scores }: RoundScores): string {
  return sha256(canonicalJson([sha256(canonicalJson(ids)), sha256(correct), sha256(new Uint8Array(scores.buffer))]))
}
