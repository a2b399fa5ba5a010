import { CertificateError } from '../certificate-error.ts'
import { permutation, seededRandom } from '../random.ts'
import { FOLDS } from '../scores/score.ts'

/** Which rows fit the envelope and the state (pilot) and which are counted (neighbours). */
export interface Split {
  readonly pilot: readonly number[]
  readonly neighbours: readonly number[]
}

/** A split that the caller has chosen. */
export interface ChosenSplit extends Split {
  /**
   * The fold of each pilot row, in the order of `pilot`, from 0 to 4. Candidates for a learned score are compared out
   * of fold. If absent, folds are random. Like `pilot` and `neighbours`, folds must be fixed before the labels of
   * neighbours are read. A certificate stores the scores that result from them, not the folds. They allow a comparison
   * with another implementation on the same random draws.
   */
  readonly folds?: readonly number[]
}

/** `pilotFraction` defaults to the share of the profile. */
export type SplitChoice = { readonly pilotFraction?: number; readonly seed: number } | ChosenSplit

export const DEFAULT_SPLIT: SplitChoice = Object.freeze({ seed: 7 })
/** The default share of rows that fit states, envelopes and cells. `total` has its own (`usualPilotShare`). */
export const USUAL_PILOT_FRACTION = 0.2

/**
 * Splits rows into pilot and neighbours.
 *
 * Rows with the same key in `questions` are runs of one question and go to one side. On the neighbour side one run,
 * chosen at random, is counted: runs of a question are not independent, and counting them as independent rows would
 * make every bound too high. If `questions` is null, every row is its own question.
 */
export function splitRows(
  where: string,
  count: number,
  choice: SplitChoice,
  questions: readonly string[] | null,
): Split {
  if (typeof choice !== 'object' || choice === null) {
    throw new CertificateError(where, 'split', '{ pilotFraction, seed } or { pilot, neighbours }', choice)
  }
  if ('pilot' in choice) return checkedLists(where, count, choice, questions)
  const { pilotFraction = USUAL_PILOT_FRACTION, seed } = choice
  if (!(Number.isFinite(pilotFraction) && pilotFraction >= 0 && pilotFraction < 1)) {
    throw new CertificateError(where, 'split.pilotFraction', 'a number in [0, 1)', pilotFraction)
  }
  if (!(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32)) {
    throw new CertificateError(where, 'split.seed', 'an integer in [0, 2^32)', seed)
  }
  const wanted = Math.floor(count * pilotFraction)
  const isPilot = new Uint8Array(count)
  if (questions === null) {
    for (const row of permutation(count, seededRandom(seed)).subarray(0, wanted)) isPilot[row] = 1
  } else {
    markWholeQuestions(isPilot, wanted, questions, seed)
  }
  const pilot: number[] = []
  const neighbours: number[] = []
  for (let row = 0; row < count; row++) (isPilot[row] === 1 ? pilot : neighbours).push(row)
  return { pilot, neighbours: questions === null ? neighbours : oneRowEach(neighbours, questions, seed) }
}

/** The first run of each question in a random order, so no position in the file is preferred. */
function oneRowEach(rows: readonly number[], questions: readonly string[], seed: number): number[] {
  const drawn = new Map<string, number>()
  for (const at of permutation(rows.length, seededRandom(seed))) {
    const question = questions[rows[at]!]!
    if (!drawn.has(question)) drawn.set(question, rows[at]!)
  }
  return [...drawn.values()].sort((a, b) => a - b)
}

/** Skips a question that would overfill the pilot, so the requested share is never exceeded. */
function markWholeQuestions(isPilot: Uint8Array, wanted: number, questions: readonly string[], seed: number): void {
  const blocks = rowsByQuestion(questions)
  let taken = 0
  for (const block of permutation(blocks.length, seededRandom(seed))) {
    const rows = blocks[block]!
    if (taken + rows.length > wanted) continue
    for (const row of rows) isPilot[row] = 1
    taken += rows.length
  }
}

function checkedLists(where: string, count: number, lists: Split, questions: readonly string[] | null): Split {
  const { pilot, neighbours } = lists
  const side = new Uint8Array(count)
  for (const [name, list] of Object.entries({ pilot, neighbours })) {
    if (!Array.isArray(list)) throw new CertificateError(where, `split.${name}`, 'an array of row numbers', list)
    for (const [index, row] of list.entries()) {
      if (!(Number.isInteger(row) && row >= 0 && row < count)) {
        throw new CertificateError(where, `split.${name}[${index}]`, `a row number below ${count}`, row)
      }
      if (side[row] !== 0) throw new CertificateError(where, `split.${name}[${index}]`, 'a row not yet named', row)
      side[row] = 1
    }
  }
  if (questions !== null) {
    const seen = new Set(pilot.map((row) => questions[row]!))
    for (const [index, row] of neighbours.entries()) {
      if (seen.has(questions[row]!)) {
        throw new CertificateError(where, `split.neighbours[${index}]`, 'a run of a question not yet named', row)
      }
      seen.add(questions[row]!)
    }
  }
  return { pilot: [...pilot], neighbours: [...neighbours] }
}

/** The folds that the caller has chosen; null if they are random. Runs of one question must share a fold. */
export function chosenFolds(
  where: string,
  choice: SplitChoice | null | undefined,
  questions: readonly string[] | null,
): Uint8Array | null {
  // Null counts as absent, as it does for the rows.
  if (!choice || !('pilot' in choice) || choice.folds === undefined) return null
  const { folds, pilot } = choice
  if (!(Array.isArray(folds) && folds.length === pilot.length)) {
    throw new CertificateError(where, 'split.folds', `an array of ${pilot.length} folds, one for each pilot row`, folds)
  }
  const foldOf = new Map<string, number>()
  for (const [index, fold] of folds.entries()) {
    if (!(Number.isInteger(fold) && fold >= 0 && fold < FOLDS)) {
      throw new CertificateError(where, `split.folds[${index}]`, `an integer from 0 to ${FOLDS - 1}`, fold)
    }
    const question = questions?.[pilot[index]!]
    if (question === undefined) continue
    if ((foldOf.get(question) ?? fold) !== fold) {
      throw new CertificateError(where, `split.folds[${index}]`, 'that of the other runs of its question', fold)
    }
    foldOf.set(question, fold)
  }
  const questionCount = questions === null ? pilot.length : foldOf.size
  if (questionCount > 1 && new Set(folds).size < 2) {
    throw new CertificateError(
      where,
      'split.folds',
      'of at least two folds, so that each is scored by another',
      folds[0],
    )
  }
  return Uint8Array.from(folds)
}

/** Row numbers of each question, in the order in which questions and rows occur. */
export function rowsByQuestion(questions: readonly string[]): number[][] {
  const blocks = new Map<string, number[]>()
  for (const [row, question] of questions.entries()) {
    const block = blocks.get(question)
    if (block) block.push(row)
    else blocks.set(question, [row])
  }
  return [...blocks.values()]
}
