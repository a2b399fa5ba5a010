import { distanceSum, type NeighbourSum, noSum, oscillationSum } from '../neighbours/neighbour-index.ts'
import type { KnnOptions } from './knn-options.ts'
import type { Envelope, RoundModel } from './round-model.ts'

/**
 * What the calibration rows say at one query, before any confidence is chosen: one entry per neighbourhood size that
 * fits. Belongs to the reader and is overwritten by its next call.
 */
export interface LocalEvidence {
  readonly kFamily: readonly number[]
  readonly counts: Uint32Array
  readonly successes: Uint32Array
  readonly radii: Float64Array
  /** With rho applied. */
  readonly envelopes: Float64Array
}

/** Null where no neighbourhood size fits or the pilot had labels of one kind only: too few labels. */
export type EvidenceReader = ((state: ArrayLike<number>, from: number) => LocalEvidence) | null

export function evidenceReader(model: RoundModel, { kFamily, rho }: KnnOptions): EvidenceReader {
  const { index, envelope, normalise } = model
  const fitting = kFamily.filter((k) => k <= index.rows)
  if (fitting.length === 0 || envelope === null) return null
  const query = new Float64Array(model.dimension)
  const envelopes = new Float64Array(fitting.length)
  const sum = sumOf(envelope)

  return (state, from) => {
    normalise(state, from, query, 0)
    if (envelope.kind === 'oscillation') sum.centre = envelope.smoother.predict(query, 0)
    const { counts, successes, radii, sums } = index.search(query, fitting, sum)
    for (let slot = 0; slot < fitting.length; slot++) {
      if (envelope.kind === 'none') envelopes[slot] = 0
      else if (envelope.kind === 'radius') envelopes[slot] = rho * envelope.of(radii[slot]!)
      else envelopes[slot] = (rho * sums[slot]!) / counts[slot]!
    }
    return { kFamily: fitting, counts, successes, radii, envelopes }
  }
}

function sumOf(envelope: Envelope): NeighbourSum {
  if (envelope.kind === 'oscillation') return oscillationSum(0)
  return envelope.kind === 'mean-distance' ? distanceSum(envelope.of) : noSum()
}

/** Looks that the level must pay for. Neighbourhoods are nested, so equal counts mean equal neighbourhoods. */
export function countLooks(counts: Uint32Array, familySize: number, looks: KnnOptions['looks']): number {
  if (looks === 'family') return familySize
  let distinct = 1
  for (let slot = 1; slot < counts.length; slot++) if (counts[slot] !== counts[slot - 1]) distinct++
  return distinct
}
