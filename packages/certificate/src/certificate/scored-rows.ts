import { isGradedRight, isRightAt } from '../beliefs/truth.ts'
import { exclusionOf, kindOf } from '../kinds/kind.ts'
import { chosenFolds, type Split, type SplitChoice } from '../knn/split-rows.ts'
import type { Score } from '../scores/score.ts'
import { questionRuns } from '../total/exact-tests.ts'
import { renumbered, type StoppingRows } from '../total/stopping-rows.ts'
import type { LabelledDebates } from './calibrate.ts'
import { debateScores, fitDebateScore, rightOf } from './debate-score.ts'

/** A score fitted on pilot rows, and both sides of the split as numbers. Scores of pilot rows are out-of-fold. */
export interface ScoredRows {
  readonly score: Score
  readonly pilot: StoppingRows
  readonly neighbours: StoppingRows
}

/** `choice` is what `split` was resolved from and may have folds. `seed` is for random folds. */
export function scoredRows(
  labelled: LabelledDebates,
  split: Split,
  choice: SplitChoice | undefined,
  seed: number,
): ScoredRows {
  const pilot = stoppingRows(labelled, split.pilot)
  const folds = chosenFolds('calibrate', choice, labelled.questions)
  const { score, outOfFold } = fitDebateScore({ ...labelled, pilot: split.pilot, seed, folds })
  const neighbours = stoppingRows(labelled, split.neighbours)
  const scores = scoresOfRows(score, labelled, split.neighbours)
  return { score, pilot: { ...pilot, scores: outOfFold }, neighbours: { ...neighbours, scores } }
}

/** Everything except the scores, which are still 0. */
function stoppingRows(labelled: LabelledDebates, rows: readonly number[]): StoppingRows {
  const { debates, rounds, questions } = labelled
  const cells = rows.length * rounds
  const kinds = new Uint16Array(cells)
  const excluded = new Uint8Array(cells)
  const right = new Uint8Array(cells)
  for (const [at, row] of rows.entries()) {
    const debate = debates[row]!
    const count = debate.record.rounds.length
    for (const [round, summary] of debate.rounds.entries()) {
      const cell = at * rounds + round
      kinds[cell] = kindOf(summary, round + 1)
      // A round that did not take place never acts, in calibration as in deployment. Its label only helps to fit the
      // score.
      excluded[cell] = Number(round >= count || exclusionOf(summary) !== null)
    }
    right.set(rightOf(labelled, row), at * rounds)
  }
  return {
    rows: rows.length,
    rounds,
    scores: new Float64Array(cells),
    kinds,
    excluded,
    right,
    questions: questions && questionRuns(renumbered(rows.map((row) => questions[row]!))),
    ...predictedAnswers(labelled, rows),
    ...judgeAudit(labelled, rows),
  }
}

/** People's grades of rows that a model graded; empty if no model graded any debate of the set. */
function judgeAudit({ debates, rounds, isJudged }: LabelledDebates, rows: readonly number[]) {
  if (!isJudged) return {}
  const audit = { rows: new Uint8Array(rows.length), misjudged: new Uint8Array(rows.length * rounds) }
  for (const [at, row] of rows.entries()) {
    const debate = debates[row]!
    const { audits } = debate.record
    if (audits === null) continue
    audit.rows[at] = 1
    for (const [round, { prediction }] of debate.rounds.entries()) {
      const isMisjudged = isRightAt(debate, round + 1) && !isGradedRight(audits[round], prediction)
      audit.misjudged[at * rounds + round] = Number(isMisjudged)
    }
  }
  return { audit }
}

/** The panel's answers of all rounds, by name; empty if there are too many names for budgets. */
function predictedAnswers({ debates, rounds }: LabelledDebates, rows: readonly number[]) {
  const placeOf = new Map<string, number>()
  const of = new Uint16Array(rows.length * rounds)
  for (const [at, row] of rows.entries()) {
    const { record, rounds: summaries } = debates[row]!
    for (const [round, { prediction }] of summaries.entries()) {
      const name = record.options[prediction]!
      const place = placeOf.get(name) ?? placeOf.size
      if (place >= MOST_NAMES) return {}
      placeOf.set(name, place)
      of[at * rounds + round] = place
    }
  }
  return { answers: { names: [...placeOf.keys()], of } }
}

const MOST_NAMES = 1000

/** Rows per block. Features of a million debates at once would take gigabytes. */
const BLOCK = 4096

function scoresOfRows(score: Score, { debates, rounds }: LabelledDebates, rows: readonly number[]): Float64Array {
  const scores = new Float64Array(rows.length * rounds)
  for (let from = 0; from < rows.length; from += BLOCK) {
    const block = rows.slice(from, from + BLOCK).map((row) => debates[row]!)
    scores.set(debateScores(score, block, rounds)!, from * rounds)
  }
  return scores
}
