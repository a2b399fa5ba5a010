import { CertificateError } from '../certificate-error.ts'
import { type CalibrationRows, type RoundRows, readStates, type StateRows } from './calibration-rows.ts'
import type { Confidence } from './confidence.ts'
import type { KnnOptions } from './knn-options.ts'
import { type Bound, bestBound, bestLower, type NoBound, TOO_FEW_LABELS } from './local-bound.ts'
import { type EvidenceReader, evidenceReader } from './local-evidence.ts'
import { type FitOptions, fitRound, type RoundModel } from './round-model.ts'
import type { Split } from './split-rows.ts'

/** The models of all rounds for one set of rows: all rows, or those of one group. They do not depend on the budget. */
export interface KnnFit {
  readonly models: readonly RoundModel[]
  readonly readers: readonly EvidenceReader[]
}

export function fitKnn(rows: CalibrationRows, split: Split, options: FitOptions): KnnFit {
  const models = rows.rounds.map((round) => fitRound(round, split, options))
  return { models, readers: models.map((model) => evidenceReader(model, options)) }
}

/** The same for the rows of one group, with its own distribution functions and pilot. */
export function fitGroup(rows: CalibrationRows, split: Split, options: FitOptions, group: string): KnnFit {
  const isMember = (row: number) => rows.groups?.[row] === group
  const pilot = split.pilot.filter(isMember)
  const neighbours = split.neighbours.filter(isMember)
  const members = [...pilot, ...neighbours]
  const own = { pilot: pilot.map((_, at) => at), neighbours: neighbours.map((_, at) => pilot.length + at) }
  const models = rows.rounds.map((round) => fitRound(pick(round, members), own, options))
  return { models, readers: models.map((model) => evidenceReader(model, options)) }
}

export function boundAt(
  fit: KnnFit,
  options: KnnOptions,
  confident: Confidence,
  round: number,
  state: ArrayLike<number>,
): Bound | NoBound {
  const read = fit.readers[round - 1]
  return read ? bestBound(read(state, 0), confident, options) : TOO_FEW_LABELS
}

/** Lower bounds of many states; NaN where there is none. */
export function boundsAt(
  fit: KnnFit,
  options: KnnOptions,
  confident: Confidence,
  round: number,
  states: StateRows,
): Float64Array {
  const { points, dimension } = readStates('bounds', 'states', states)
  const expected = fit.models[round - 1]!.dimension
  if (points.length > 0 && dimension !== expected) {
    throw new CertificateError('bounds', 'states', `states of ${expected} numbers`, dimension)
  }
  const lower = new Float64Array(points.length / dimension)
  const read = fit.readers[round - 1]
  if (!read) return lower.fill(Number.NaN)
  for (let row = 0; row < lower.length; row++) lower[row] = bestLower(read(points, row * dimension), confident, options)
  return lower
}

function pick({ points, dimension, correct }: RoundRows, members: readonly number[]): RoundRows {
  const picked = new Float64Array(members.length * dimension)
  for (const [at, row] of members.entries()) {
    picked.set(points.subarray(row * dimension, (row + 1) * dimension), at * dimension)
  }
  return { points: picked, dimension, correct: Uint8Array.from(members, (row) => correct[row]!) }
}
