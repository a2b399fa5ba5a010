import { CertificateError } from '../certificate-error.ts'
import { distanceSum, type NeighbourSum, noSum, oscillationSum } from '../neighbours/neighbour-index.ts'
import type { KnnOptions } from './knn-options.ts'
import type { Envelope, RoundModel } from './round-model.ts'

/**
 * The evidence of the calibration rows at one query, before a confidence is chosen: one entry per neighbourhood size.
 * The reader owns it and overwrites it in its next call.
 */
export interface LocalEvidence {
  /** The sizes of the family. Sizes above the number of rows are cut to it or left out; see `evidenceReader`. */
  readonly kFamily: readonly number[]
  readonly counts: Uint32Array
  readonly successes: Uint32Array
  readonly radii: Float64Array
  /** With rho applied. */
  readonly envelopes: Float64Array
}

/** Null if there are too few labels: too few rows, or pilot labels of one class only. */
export type EvidenceReader = ((state: ArrayLike<number>, from: number) => LocalEvidence) | null

/**
 * Whether this many rows are enough for a bound. The sharp alpha is proved for neighbourhoods of at least the smallest
 * size of the family (`resolveBudget`), so it needs that many rows. The printed alpha holds for any number of rows.
 */
export function hasEnoughRows({ kFamily, alphaRule }: KnnOptions, rows: number): boolean {
  return rows >= (alphaRule === 'sharp' ? kFamily[0]! : 1)
}

/**
 * Under the printed alpha, a size above the number of rows is cut to it: the slack that the paper prints for its
 * smallest benchmark is that of such a cut. Under the sharp alpha such a size is left out. All rows together are the
 * widest neighbourhood, and an envelope learned from few pilot rows is most often too small there
 * (envelope.validity.test.ts).
 */
export function evidenceReader(model: RoundModel, options: KnnOptions): EvidenceReader {
  const { index, envelope, normalise } = model
  const { rho } = options
  if (envelope === null || !hasEnoughRows(options, index.rows)) return null
  const fitting =
    options.alphaRule === 'sharp'
      ? options.kFamily.filter((k) => k <= index.rows)
      : [...new Set(options.kFamily.map((k) => Math.min(k, index.rows)))]
  const query = new Float64Array(model.dimension)
  const envelopes = new Float64Array(fitting.length)
  const sum = sumOf(envelope)

  /** The value of a custom envelope. A bound must not depend on one that is not a number or is negative. */
  function statedAt(
    { name, of }: Extract<Envelope, { kind: 'function' }>,
    k: number,
    state: ArrayLike<number>,
    from: number,
  ): number {
    const own = Array.from({ length: model.dimension }, (_, axis) => state[from + axis]!)
    const value: unknown = of(k, own)
    if (typeof value === 'number' && value >= 0 && value < Infinity) return value
    throw new CertificateError('bound', `envelope "${name}" at k = ${k}`, 'a finite number of at least 0', value)
  }

  return (state, from) => {
    normalise(state, from, query, 0)
    if (envelope.kind === 'oscillation') sum.centre = envelope.smoother.predict(query, 0)
    const { counts, successes, radii, sums } = index.search(query, fitting, sum)
    for (let slot = 0; slot < fitting.length; slot++) {
      if (envelope.kind === 'none') envelopes[slot] = 0
      else if (envelope.kind === 'function') envelopes[slot] = rho * statedAt(envelope, fitting[slot]!, state, from)
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

/**
 * Number of looks among which the level is divided. Neighbourhoods are nested, so equal counts mean equal
 * neighbourhoods.
 */
export function countLooks(counts: Uint32Array, familySize: number, looks: KnnOptions['looks']): number {
  if (looks === 'family') return familySize
  let distinct = 1
  for (let slot = 1; slot < counts.length; slot++) if (counts[slot] !== counts[slot - 1]) distinct++
  return distinct
}
