import { canonicalDigest } from '../canonical/canonical-digest.ts'
import { sha256 } from '../canonical/sha256.ts'
import { choice } from '../choice.ts'
import type { CalibrateOptions, LabelledDebates } from './calibrate.ts'
import { type CellsCertificate, cellsCertificate } from './cells-certificate.ts'
import { panelFingerprint } from './fingerprint.ts'
import { resolveGroupLevel, resolveSplit } from './fit-certificate.ts'
import { scoredRows } from './scored-rows.ts'

export function calibrateCells(labelled: LabelledDebates, options: CalibrateOptions): CellsCertificate {
  const where = 'calibrate'
  const { debates, questions, reading } = labelled
  const { split, sampleSeed } = resolveSplit(where, { count: debates.length, questions }, options.split)
  const { score, pilot, neighbours } = scoredRows(labelled, split, options.split, sampleSeed)
  const ids = debates.map(({ record }) => record.id)
  const scores = new Uint8Array(neighbours.scores.buffer)
  return cellsCertificate({
    budget: options.budget,
    variant: choice(where, 'cells', options.cells ?? 'path', ['auto', 'path', 'nominate']),
    design: null,
    score,
    split,
    pilot,
    neighbours,
    neighbourGroups: split.neighbours.map((row) => debates[row]!.record.group ?? ''),
    groupConditional: options.groupConditional ?? false,
    groupLevel: resolveGroupLevel(where, 'cells', options.groupLevel),
    panel: reading,
    ids,
    fingerprint: panelFingerprint(
      labelled,
      options,
      'cells',
      canonicalDigest([canonicalDigest(ids), sha256(labelled.correct), sha256(scores)]),
    ),
  })
}
