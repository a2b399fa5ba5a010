import { CertificateError } from '../certificate-error.ts'
import { LIMITS } from '../limits.ts'

/**
 * States of one round as callers pass them: rows of numbers, or a flat array. A flat array of a million numbers or more
 * is used without a copy, to save memory, unless groups are given (their models are fitted on first use). Do not write
 * to it afterwards: saving a certificate checks that it is unchanged.
 */
export type StateRows = readonly (readonly number[])[] | { readonly values: Float64Array; readonly dimension: number }

/** Far more than nearest neighbours can handle. Without a limit, a small file could cause days of work. */
const MOST_COORDINATES = 256

export interface CalibrationInput {
  /** One per round. Row i of every round is instance i. */
  readonly rounds: readonly { readonly states: StateRows; readonly correct: ArrayLike<number> }[]
  /** Group of each instance, for group-conditional bounds. */
  readonly groups?: readonly string[]
  /** Rows with the same key are runs of one question and stay on one side of the split. */
  readonly questions?: readonly string[]
}

/** Calibration rows after checking, in flat arrays. */
export interface CalibrationRows {
  readonly count: number
  readonly rounds: readonly RoundRows[]
  readonly groups: readonly string[] | null
  readonly questions: readonly string[] | null
}

export interface RoundRows {
  readonly points: Float64Array
  readonly dimension: number
  readonly correct: Uint8Array
}

export function readCalibrationRows(where: string, input: CalibrationInput): CalibrationRows {
  const rounds = input?.rounds
  if (!(Array.isArray(rounds) && rounds.length >= 1 && rounds.length <= LIMITS.rounds)) {
    throw new CertificateError(where, 'rounds', `an array of 1 to ${LIMITS.rounds} rounds`, rounds)
  }
  // Array.from visits the holes of a sparse array; map would skip them.
  const mayTakeOver = input.groups === undefined
  const read = Array.from(rounds, (round, index) => readRound(where, `rounds[${index}]`, round, mayTakeOver))
  const count = read[0]!.correct.length
  for (const [index, { correct }] of read.entries()) {
    if (correct.length !== count) {
      throw new CertificateError(where, `rounds[${index}]`, `of ${count} rows like the first round`, correct.length)
    }
  }
  if (count === 0) throw new CertificateError(where, 'rounds[0].states', 'at least one row', 0)
  return {
    count,
    rounds: read,
    groups: readNames(where, 'groups', input.groups, count),
    questions: readNames(where, 'questions', input.questions, count),
  }
}

/** Flattens and checks states. `place` is the name of the parameter in errors. */
export function readStates(
  where: string,
  place: string,
  states: StateRows,
): { points: Float64Array; dimension: number } {
  if (isFlat(states)) {
    const { values, dimension } = states
    if (!(Number.isInteger(dimension) && dimension >= 1 && dimension <= MOST_COORDINATES)) {
      throw new CertificateError(where, `${place}.dimension`, `an integer from 1 to ${MOST_COORDINATES}`, dimension)
    }
    if (values.length % dimension !== 0) {
      throw new CertificateError(where, `${place}.values`, `a multiple of ${dimension} numbers`, values.length)
    }
    const bad = values.findIndex((value) => !isCoordinate(value))
    if (bad >= 0) throw new CertificateError(where, `${place}.values[${bad}]`, COORDINATE, values[bad])
    // JSON has no -0, and a loaded certificate must have the same numbers as the saved one.
    const hasMinusZero = values.some((value) => Object.is(value, -0))
    return { points: hasMinusZero ? values.map((value) => value + 0) : values, dimension }
  }
  if (!Array.isArray(states)) throw new CertificateError(where, place, 'rows, or { values, dimension }', states)
  const first: unknown = states.length === 0 ? [0] : states[0]
  const dimension = Array.isArray(first) ? first.length : 0
  if (dimension === 0) {
    throw new CertificateError(where, `${place}[0]`, 'an array of at least one number', states[0])
  }
  const points = new Float64Array(states.length * dimension)
  for (let row = 0; row < states.length; row++) {
    const state: unknown = states[row]
    if (!(Array.isArray(state) && state.length === dimension)) {
      throw new CertificateError(
        where,
        `${place}[${row}]`,
        `an array of ${dimension} numbers like the first row`,
        state,
      )
    }
    for (let axis = 0; axis < dimension; axis++) {
      const value: unknown = state[axis]
      if (!isCoordinate(value)) throw new CertificateError(where, `${place}[${row}][${axis}]`, COORDINATE, value)
      points[row * dimension + axis] = value + 0
    }
  }
  return { points, dimension }
}

/** Squares of larger numbers overflow, and so would every distance. */
const LARGEST_COORDINATE = 1e150
export const COORDINATE = `a finite number of at most ${LARGEST_COORDINATE} in size`

export function isCoordinate(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= LARGEST_COORDINATE
}

function readRound(
  where: string,
  place: string,
  round: CalibrationInput['rounds'][number],
  mayTakeOver: boolean,
): RoundRows {
  if (typeof round !== 'object' || round === null) {
    throw new CertificateError(where, place, 'an object { states, correct }', round)
  }
  const { points, dimension } = readStates(where, `${place}.states`, round.states)
  const labels = round.correct
  if (!(Array.isArray(labels) || labels instanceof Uint8Array)) {
    throw new CertificateError(where, `${place}.correct`, 'an array of 0 and 1', labels)
  }
  const rows = points.length / dimension
  if (labels.length !== rows) throw new CertificateError(where, `${place}.correct`, `of ${rows} labels`, labels.length)
  const correct = new Uint8Array(rows)
  for (let row = 0; row < rows; row++) {
    const label = labels[row]
    if (label !== 0 && label !== 1) throw new CertificateError(where, `${place}.correct[${row}]`, '0 or 1', label)
    correct[row] = label
  }
  const isCopied = !(mayTakeOver && points.length >= TAKEN_OVER)
  return { points: isCopied ? points.slice() : points, dimension, correct }
}

const TAKEN_OVER = 1_000_000

function readNames(where: string, place: string, names: readonly string[] | undefined, count: number) {
  if (names === undefined) return null
  if (!(Array.isArray(names) && names.length === count)) {
    throw new CertificateError(where, place, `an array of ${count} names`, names)
  }
  const bad = names.findIndex((name) => typeof name !== 'string')
  if (bad >= 0) throw new CertificateError(where, `${place}[${bad}]`, 'a string', names[bad])
  return [...names]
}

function isFlat(states: StateRows): states is { values: Float64Array; dimension: number } {
  return typeof states === 'object' && states !== null && 'values' in states && states.values instanceof Float64Array
}
