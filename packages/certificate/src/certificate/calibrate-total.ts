import { canonicalDigest } from '../canonical/canonical-digest.ts'
import { sha256 } from '../canonical/sha256.ts'
import { CertificateError } from '../certificate-error.ts'
import { barOf, kindOf } from '../kinds/kind.ts'
import { type Split, type SplitChoice, splitRows } from '../knn/split-rows.ts'
import type { Score } from '../scores/score.ts'
import { questionRuns } from '../total/exact-tests.ts'
import { renumbered, type StoppingRows } from '../total/stopping-rows.ts'
import type { CalibrateOptions, LabelledPanels } from './calibrate.ts'
import { panelFingerprint } from './calibrate-knn.ts'
import { debateScores, fitDebateScore, rightOf } from './debate-score.ts'
import { type TotalCertificate, totalCertificate } from './total-certificate.ts'

const DEFAULT_SEED = 7
/** A small set needs a larger pilot: its score and its classes are made of few rows. */
const SMALL_SET = 600
const SMALL_SET_PILOT = 0.35
const USUAL_PILOT = 0.2

export function calibrateTotal(labelled: LabelledPanels, options: CalibrateOptions): TotalCertificate {
  const { panels, reading } = labelled
  const split = splitQuestions(labelled, options.split)
  const seed = options.split && 'seed' in options.split ? options.split.seed : DEFAULT_SEED
  const fitted = fitDebateScore({ ...labelled, pilot: split.pilot, seed })
  const pilot = stoppingRows(labelled, split.pilot)
  const neighbours = stoppingRows(labelled, split.neighbours)
  const scores = scoresOfRows(fitted.score, labelled, split.neighbours)
  const ids = panels.map(({ record }) => record.id)
  return totalCertificate({
    budget: options.budget,
    design: null,
    score: fitted.score,
    split,
    pilot: { ...pilot, scores: fitted.outOfFold },
    neighbours: { ...neighbours, scores },
    neighbourGroups: split.neighbours.map((row) => panels[row]!.record.group ?? ''),
    groupConditional: options.groupConditional ?? false,
    deferredGroups: options.deferredGroups ?? [],
    panel: reading,
    ids,
    fingerprint: panelFingerprint(
      labelled,
      options,
      'total',
      canonicalDigest([canonicalDigest(ids), sha256(labelled.correct), sha256(new Uint8Array(scores.buffer))]),
    ),
  })
}

/** Of the labels, this share teaches the score and the classes. */
export function usualPilotShare(labels: number): number {
  return labels < SMALL_SET ? SMALL_SET_PILOT : USUAL_PILOT
}

/** Runs of one question stay on one side, and all of them are counted: a question weighs the same whatever its runs. */
function splitQuestions({ panels, questions }: LabelledPanels, choice: SplitChoice | undefined): Split {
  const count = panels.length
  if (choice && 'pilot' in choice) {
    const split = splitRows('calibrate', count, choice, null)
    const taught = new Set(split.pilot.map((row) => questions?.[row] ?? row))
    const leak = split.neighbours.find((row) => taught.has(questions?.[row] ?? row))
    if (leak === undefined) return split
    throw new CertificateError('calibrate', 'split.neighbours', 'rows of questions that no pilot row is a run of', leak)
  }
  const { pilot } = splitRows(
    'calibrate',
    count,
    { pilotFraction: usualPilotShare(count), seed: DEFAULT_SEED, ...choice },
    questions,
  )
  const isPilot = new Set(pilot)
  return { pilot, neighbours: Array.from({ length: count }, (_, row) => row).filter((row) => !isPilot.has(row)) }
}

/** Everything but the scores, which are not there yet. */
function stoppingRows(labelled: LabelledPanels, rows: readonly number[]): StoppingRows {
  const { panels, rounds, questions } = labelled
  const cells = rows.length * rounds
  const kinds = new Uint16Array(cells)
  const barred = new Uint8Array(cells)
  const right = new Uint8Array(cells)
  for (const [at, row] of rows.entries()) {
    const panel = panels[row]!
    const held = panel.record.rounds.length
    for (const [round, summary] of panel.rounds.entries()) {
      const cell = at * rounds + round
      kinds[cell] = kindOf(summary, round + 1)
      // A round that was not held never acts, in calibration as in deployment; its label only teaches the score.
      barred[cell] = Number(round >= held || barOf(summary) !== null)
    }
    right.set(rightOf(labelled, row), at * rounds)
  }
  return {
    rows: rows.length,
    rounds,
    scores: new Float64Array(cells),
    kinds,
    barred,
    right,
    questions: questions && questionRuns(renumbered(rows.map((row) => questions[row]!))),
  }
}

/** In blocks: features of a million debates at once would take gigabytes. */
const BLOCK = 4096

function scoresOfRows(
  score: Score,
  { panels, rounds }: LabelledPanels,
  rows: readonly number[],
): Float64Array<ArrayBuffer> {
  const scores = new Float64Array(rows.length * rounds)
  for (let from = 0; from < rows.length; from += BLOCK) {
    const block = rows.slice(from, from + BLOCK).map((row) => panels[row]!)
    scores.set(debateScores(score, block, rounds)!, from * rounds)
  }
  return scores
}
