import { CertificateError } from '../../certificate-error.ts'
import { readCalibrationRows } from '../../knn/calibration-rows.ts'
import { type EnvelopeFunction, resolveKnnOptions } from '../../knn/knn-options.ts'
import type { StateFunction } from '../../states/state-function.ts'
import { type KnnCertificate, knnCertificate } from '../knn-certificate.ts'
import { rowsDigest } from '../rows-digest.ts'
import type { RoundState } from '../state-map.ts'
import type { FileReader } from './file-reader.ts'
import { loadBudget, loadFingerprint, loadPanel, loadScore, loadSplit } from './load-parts.ts'

/** The custom functions that a certificate was calibrated with. A file has only their names. */
export interface UserFunctions {
  readonly state: StateFunction | null
  readonly envelope: EnvelopeFunction['of'] | null
}

export function loadKnn(file: FileReader, { state: customState, envelope }: UserFunctions): KnnCertificate {
  const where = 'loadCertificate'
  const profile = file.at('profile').oneOf(['paper', 'tight'])
  const groups = file.at('groups').optional((list) => list.textList())
  const rounds = file
    .at('data')
    .list()
    .map((round) => ({
      states: {
        values: Float64Array.from(round.at('states').finiteList()),
        dimension: round.at('dimension').integer(),
      },
      correct: round.at('correct').digits(),
    }))
  const rows = readCalibrationRows(where, groups === null ? { rounds } : { rounds, groups })
  const panel = file.at('panel').optional(loadPanel)
  const states = file.at('states').optional((list) => list.list().map(loadState))
  if (states?.length !== (panel === null ? undefined : rounds.length)) {
    throw file.at('states').refusal(panel === null ? 'null without a panel' : `of ${rounds.length} rounds`)
  }
  const ids = file.at('ids').optional((list) => list.textList())
  if (ids !== null && ids.length !== rows.count) throw file.at('ids').refusal(`of ${rows.count} rows`)
  const needed = states?.find((state) => state.kind === 'custom')
  if (needed && customState === null) {
    throw new CertificateError(
      where,
      'options.state',
      `the function "${needed.name}" the certificate was calibrated with`,
      null,
    )
  }
  const fingerprint = loadFingerprint(file.at('fingerprint'))
  if (fingerprint.rows !== rowsDigest(rows)) throw file.at('fingerprint').at('rows').refusal('the digest of the rows')
  return knnCertificate({
    profile,
    budget: loadBudget(file.at('budget')),
    options: resolveKnnOptions(where, profile, withEnvelope(file.at('options').object(), envelope)),
    split: loadSplit(file.at('split'), rows.count),
    sampleSeed: file.at('sampleSeed').integer(),
    rows,
    groupConditional: file.at('groupConditional').flag(),
    groupLevel: file.at('groupLevel').oneOf(['ordinary', 'simultaneous']),
    panel,
    states,
    customState,
    ids,
    fingerprint,
  })
}

/** Adds the function of a custom envelope. Without it, resolving the options fails with an error that names it. */
function withEnvelope(options: object, of: UserFunctions['envelope']): object {
  const envelope = 'envelope' in options ? options.envelope : undefined
  if (of === null || typeof envelope !== 'object' || envelope === null || !('name' in envelope)) return options
  return { ...options, envelope: { ...envelope, of } }
}

function loadState(file: FileReader): RoundState {
  const kind = file.at('kind').oneOf(['named', 'learned', 'custom'])
  if (kind === 'learned') return { kind, score: loadScore(file.at('score')) }
  if (kind === 'custom') return { kind, name: file.at('name').text() }
  return { kind, name: file.at('name').oneOf(['paper', 'paper-1d', 'paper-3d', 'paper-4d', 'support-path']) }
}
