import { type Modulus, type ModulusReading, modulus, rangeOf, readModulus } from '../envelopes/modulus.ts'
import { PAIRWISE_LIMIT } from '../envelopes/pilot-states.ts'
import { type DistinctStates, distinctStates } from '../neighbours/distinct-states.ts'
import { fastIndex } from '../neighbours/fast-index.ts'
import type { NeighbourIndex } from '../neighbours/neighbour-index.ts'
import { permutation, seededRandom } from '../random.ts'
import { fitGam, type GamSolver } from '../smoothers/gam.ts'
import { fitIsotonic } from '../smoothers/isotonic.ts'
import type { Smoother } from '../smoothers/smoother.ts'
import { empiricalCdfs, readCdf } from '../states/empirical-cdf.ts'
import type { RoundRows } from './calibration-rows.ts'
import type { EnvelopeFunction, KnnOptions } from './knn-options.ts'
import type { Split } from './split-rows.ts'

/** Everything learned from the calibration rows of one round. It does not depend on the budget. */
export interface RoundModel {
  readonly dimension: number
  /** Writes the state at `from`, normalised to the scale of distances, to `into`. */
  normalise(states: ArrayLike<number>, from: number, into: Float64Array, at: number): void
  readonly index: NeighbourIndex
  /** Null if the envelope needs pilot labels of both classes and the pilot lacks one. */
  readonly envelope: Envelope | null
  /** Number of distinct pilot states that the modulus used, if it had to take a sample; else null. */
  readonly sampledPilotStates: number | null
}

/** The options of the user and those that the profile fixes. */
export interface FitOptions extends KnnOptions {
  readonly gamSolver: GamSolver
  /** Seed for sampling pilot states if there are too many to compare all pairs. */
  readonly sampleSeed: number
}

export type Envelope =
  | { readonly kind: 'none' }
  | { readonly kind: 'radius'; readonly of: (radius: number) => number }
  | { readonly kind: 'function'; readonly name: string; readonly of: EnvelopeFunction['of'] }
  | { readonly kind: 'mean-distance'; readonly of: (distance: number) => number }
  | { readonly kind: 'oscillation'; readonly smoother: Smoother }

export function fitRound(rows: RoundRows, split: Split, options: FitOptions): RoundModel {
  const { dimension } = rows
  const normalise = normaliser(rows, options.cdf)
  const points = normalisedRows(rows, split.neighbours, normalise)
  const correct = Uint8Array.from(split.neighbours, (row) => rows.correct[row]!)
  const pilot = needsSmoother(options) ? pilotOf(rows, split.pilot, normalise) : null
  const smoother = pilot && fitSmoother(pilot, options)
  const { envelope, sampledPilotStates } = chooseEnvelope(options, pilot, smoother)
  const smoothed = envelope?.kind === 'oscillation' ? smoothedAt(points, dimension, envelope.smoother) : null
  const index = fastIndex({ points, dimension, correct, smoothed }, options.ties)
  return { dimension, normalise, index, envelope, sampledPilotStates }
}

function normaliser(rows: RoundRows, reading: KnnOptions['cdf']): RoundModel['normalise'] {
  const { points, dimension } = rows
  if (reading === 'none') {
    return (states, from, into, at) => {
      for (let axis = 0; axis < dimension; axis++) into[at + axis] = states[from + axis]!
    }
  }
  const cdfs = empiricalCdfs(points, dimension)
  return (states, from, into, at) => {
    for (let axis = 0; axis < dimension; axis++) {
      into[at + axis] = readCdf(cdfs[axis]!, states[from + axis]!, reading)
    }
  }
}

/** The listed rows, normalised to the scale of distances. */
export function normalisedRows(
  rows: RoundRows,
  list: readonly number[],
  normalise: RoundModel['normalise'],
): Float64Array {
  const { points, dimension } = rows
  const normalised = new Float64Array(list.length * dimension)
  for (let at = 0; at < list.length; at++) {
    normalise(points, list[at]! * dimension, normalised, at * dimension)
  }
  return normalised
}

function needsSmoother({ envelope }: KnnOptions): boolean {
  return envelope === 'modulus' || envelope === 'mean-modulus' || envelope === 'pilot-oscillation'
}

/** Null if the pilot has labels of one class only: a constant smoother would imply that nothing varies. */
function pilotOf(rows: RoundRows, list: readonly number[], normalise: RoundModel['normalise']): DistinctStates | null {
  const correct = Uint8Array.from(list, (row) => rows.correct[row]!)
  if (!(correct.includes(0) && correct.includes(1))) return null
  return distinctStates(normalisedRows(rows, list, normalise), rows.dimension, correct)
}

function fitSmoother({ points, dimension, successes, counts }: DistinctStates, options: FitOptions): Smoother {
  if (options.smoother === 'isotonic') return fitIsotonic(points, dimension, successes, counts)
  return fitGam(points, dimension, successes, counts, options.gamSolver)
}

function chooseEnvelope(
  { envelope, modulusTable, sampleSeed }: FitOptions,
  pilot: DistinctStates | null,
  smoother: Smoother | null,
): { envelope: Envelope | null; sampledPilotStates: number | null } {
  const exact = (found: Envelope | null) => ({ envelope: found, sampledPilotStates: null })
  if (envelope === 'none') return exact({ kind: 'none' })
  if (typeof envelope === 'object' && 'of' in envelope) return exact({ kind: 'function', ...envelope })
  if (typeof envelope === 'object') return exact({ kind: 'radius', of: statedEnvelope(envelope) })
  if (!(pilot && smoother)) return exact(null)
  if (envelope === 'pilot-oscillation') return exact({ kind: 'oscillation', smoother })

  const isSampled = pilot.counts.length > PAIRWISE_LIMIT
  const looked = isSampled ? sampleStates(pilot, sampleSeed) : pilot
  const table = modulus({ ...looked, smoothed: smoothedAt(looked.points, pilot.dimension, smoother) })
  const range = rangeOf(smoothedAt(pilot.points, pilot.dimension, smoother))
  return {
    envelope: {
      kind: envelope === 'modulus' ? 'radius' : 'mean-distance',
      of: modulusReader({ ...table, range }, modulusTable),
    },
    sampledPilotStates: isSampled ? PAIRWISE_LIMIT : null,
  }
}

function modulusReader(table: Modulus, reading: ModulusReading): (distance: number) => number {
  return (distance) => readModulus(table, distance, reading)
}

function statedEnvelope(
  envelope: Exclude<Extract<KnnOptions['envelope'], object>, EnvelopeFunction>,
): (radius: number) => number {
  if ('oscillation' in envelope) return () => envelope.oscillation
  if ('lipschitz' in envelope) return (radius) => envelope.lipschitz * radius
  const [constant, exponent] = envelope.holder
  return (radius) => constant * radius ** exponent
}

function smoothedAt(points: Float64Array, dimension: number, smoother: Smoother): Float64Array {
  const smoothed = new Float64Array(points.length / dimension)
  for (let row = 0; row < smoothed.length; row++) smoothed[row] = smoother.predict(points, row * dimension)
  return smoothed
}

function sampleStates(
  states: DistinctStates,
  seed: number,
): { points: Float64Array; dimension: number; counts: Uint32Array } {
  const { points, dimension, counts } = states
  const drawn = permutation(counts.length, seededRandom(seed)).slice(0, PAIRWISE_LIMIT).sort()
  const sample = new Float64Array(drawn.length * dimension)
  for (const [slot, state] of drawn.entries()) {
    sample.set(points.subarray(state * dimension, (state + 1) * dimension), slot * dimension)
  }
  return { points: sample, dimension, counts: drawn.map((state) => counts[state]!) }
}
