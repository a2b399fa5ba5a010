import { CertificateError } from '../../certificate-error.ts'
import type { RoundRows } from '../../knn/calibration-rows.ts'
import type { EnvelopeChoice, EnvelopeFunction, KnnOptions, KnnProfile } from '../../knn/knn-options.ts'
import type { Split } from '../../knn/split-rows.ts'
import type { KnnParts } from '../knn-certificate.ts'
import { rowsDigest } from '../rows-digest.ts'
import type { RoundState } from '../state-map.ts'
import { type CertificateFile, sealed } from './certificate-file.ts'

/**
 * A k-NN certificate as JSON: the calibration rows and every choice made about them. Loading fits again, which is
 * deterministic, so the file stores nothing derived that could disagree with the rows.
 */
export interface KnnFile extends CertificateFile {
  readonly method: 'knn'
  readonly profile: KnnProfile
  readonly options: Omit<KnnOptions, 'envelope'> & {
    /** Only the name of a custom envelope. */
    readonly envelope: Exclude<EnvelopeChoice, EnvelopeFunction> | Pick<EnvelopeFunction, 'name'>
  }
  readonly split: Split
  readonly sampleSeed: number
  readonly groupConditional: boolean
  readonly groupLevel: KnnParts['groupLevel']
  readonly groups: readonly string[] | null
  readonly states: readonly RoundState[] | null
  readonly data: readonly RoundFile[]
}

export interface RoundFile {
  readonly dimension: number
  /** Row-major. */
  readonly states: readonly number[]
  /** One digit per row. */
  readonly correct: string
}

export function knnToJson(parts: KnnParts): KnnFile {
  if (rowsDigest(parts.rows) !== parts.fingerprint.rows) {
    throw new CertificateError('toJSON', 'rounds', 'unchanged since they were fitted', 'states that were written to')
  }
  const { profile, budget, options, split, sampleSeed, groupConditional, groupLevel, panel, states, ids, fingerprint } =
    parts
  return sealed({
    method: 'knn',
    profile,
    budget,
    fingerprint,
    panel,
    ids,
    options: { ...options, envelope: envelopeToJson(options.envelope) },
    split,
    sampleSeed,
    groupConditional,
    groupLevel,
    states,
    groups: parts.rows.groups,
    data: parts.rows.rounds.map(roundToJson),
  })
}

function envelopeToJson(envelope: EnvelopeChoice): KnnFile['options']['envelope'] {
  return typeof envelope === 'object' && 'of' in envelope ? { name: envelope.name } : envelope
}

function roundToJson({ dimension, points, correct }: RoundRows): RoundFile {
  return { dimension, states: Array.from(points), correct: correct.join('') }
}
