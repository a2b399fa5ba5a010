import type { CellDesign } from '../../cells/cell-design.ts'
import { CertificateError } from '../../certificate-error.ts'
import type { EnvelopeFunction } from '../../knn/knn-options.ts'
import type { StateFunction } from '../../states/state-function.ts'
import type { Certificate } from '../calibrate.ts'
import { type CellsCertificate, cellsCertificate, chosenCells } from '../cells-certificate.ts'
import { METHOD_VERSION } from '../fingerprint.ts'
import { checksumOf } from './certificate-file.ts'
import { type FileReader, fileReader } from './file-reader.ts'
import { loadKnn } from './load-knn.ts'
import { loadBudget, loadFingerprint, loadPanel } from './load-parts.ts'
import { loadRows, loadScored, loadTotal, refuseOtherDesign } from './load-total.ts'

export interface LoadOptions {
  /** The function of a certificate with a custom state. */
  readonly state?: StateFunction
  /** The function of a certificate with a custom envelope. */
  readonly envelope?: EnvelopeFunction['of']
}

const WHERE = 'loadCertificate'

/**
 * Loads a certificate from `JSON.stringify(certificate)`, or from the same after parsing. The loaded certificate gives
 * bit-identical results.
 */
export function loadCertificate(json: string | object, options: LoadOptions = {}): Certificate {
  // A copy, so that neither later changes to the caller's object nor getters can affect the certificate.
  const content = fileReader(WHERE, 'file', typeof json === 'string' ? parsed(json) : copied(json))
  if (content.at('quorate').value !== 1 || content.at('kind').value !== 'certificate') {
    throw new CertificateError(
      WHERE,
      'file',
      'a quorate certificate ("quorate": 1, "kind": "certificate")',
      content.value,
    )
  }
  const version = content.at('methodVersion').value
  if (version !== METHOD_VERSION) {
    const expected = `${METHOD_VERSION}: this certificate was made by another version of the method, calibrate again`
    throw new CertificateError(WHERE, 'methodVersion', expected, version)
  }
  checkSeal(content)
  const method = content.at('method').oneOf(['knn', 'cells', 'total'])
  try {
    if (method === 'total') return loadTotal(content)
    if (method === 'cells') return loadCells(content)
    return loadKnn(content, { state: options.state ?? null, envelope: options.envelope ?? null })
  } catch (cause) {
    // An invalid budget is refused where the certificate is made. The error must name this function instead.
    if (!(cause instanceof CertificateError) || cause.message.startsWith(WHERE)) throw cause
    const error = new CertificateError(WHERE, cause.parameter, cause.expected, cause.received)
    error.cause = cause
    throw error
  }
}

function copied(json: unknown): unknown {
  if (typeof json !== 'object') return json
  try {
    return JSON.parse(JSON.stringify(json))
  } catch (cause) {
    const error = new CertificateError(WHERE, 'file', 'JSON and nothing else, not nested too deep', json)
    error.cause = cause
    throw error
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const error = new CertificateError(
      WHERE,
      'file',
      'the whole text of a certificate, and not its path',
      `${text.length} characters`,
    )
    error.cause = cause
    throw error
  }
}

function actualChecksum(content: FileReader): string {
  try {
    return checksumOf(content.object())
  } catch (cause) {
    // Only a stack overflow can fail here: the content is JSON, and no certificate is thousands of levels deep.
    const error = content.refusal('nested no deeper than a certificate is')
    error.cause = cause
    throw error
  }
}

function checkSeal(content: FileReader): void {
  const stated = content.at('checksum').value
  const actual = actualChecksum(content)
  if (stated !== actual) {
    throw new CertificateError(
      WHERE,
      'checksum',
      `${actual.slice(0, 12)}... as the content gives: the file was changed, restore it or calibrate again`,
      stated,
    )
  }
}

function loadCells(file: FileReader): CellsCertificate {
  const { ids, score, rounds, split, neighbourGroups } = loadScored(file)
  const design = loadDesign(file.at('design'), rounds)
  const parts = {
    budget: loadBudget(file.at('budget')),
    variant: file.at('variant').oneOf(['auto', 'path', 'nominate']),
    design,
    score,
    split,
    pilot: loadRows(file.at('pilot'), split.pilot.length, rounds),
    neighbours: loadRows(file.at('neighbours'), split.neighbours.length, rounds),
    neighbourGroups,
    groupConditional: file.at('groupConditional').flag(),
    groupLevel: file.at('groupLevel').oneOf(['ordinary', 'simultaneous']),
    panel: loadPanel(file.at('panel')),
    ids,
    fingerprint: loadFingerprint(file.at('fingerprint')),
  }
  refuseOtherDesign(file, design, chosenCells(parts))
  return cellsCertificate(parts)
}

function loadDesign(file: FileReader, rounds: number): CellDesign {
  const cuts = file.at('cuts').list()
  if (cuts.length !== rounds) throw file.at('cuts').refusal(`of ${rounds} rounds`)
  return { kind: file.at('kind').oneOf(['path', 'nominate']), cuts: cuts.map(loadCuts) }
}

const MOST_CUTS = 16

function loadCuts(file: FileReader): number[] {
  const cuts = file.finiteList()
  if (cuts.length > MOST_CUTS) throw file.refusal(`of at most ${MOST_CUTS} cuts`)
  if (cuts.some((cut, at) => at > 0 && !(cut > cuts[at - 1]!))) throw file.refusal('in ascending order')
  return cuts
}
