import { canonicalDigest } from '../canonical/canonical-digest.ts'
import { sha256 } from '../canonical/sha256.ts'
import { CertificateError } from '../certificate-error.ts'
import { type Split, type SplitChoice, splitRows } from '../knn/split-rows.ts'
import type { CalibrateOptions, LabelledDebates } from './calibrate.ts'
import { panelFingerprint } from './fingerprint.ts'
import { scoredRows } from './scored-rows.ts'
import { type TotalCertificate, totalCertificate } from './total-certificate.ts'

const DEFAULT_SEED = 7
/** A small set needs a larger pilot, or too few rows would determine its score and classes. */
const SMALL_SET = 600
const SMALL_SET_PILOT = 0.35
const LARGE_SET_PILOT = 0.2

export function calibrateTotal(labelled: LabelledDebates, options: CalibrateOptions): TotalCertificate {
  if (options.groupLevel === 'simultaneous') {
    const expected = '"ordinary" for total: for all groups at once, divide budget.total.delta by their number'
    throw new CertificateError('calibrate', 'groupLevel', expected, options.groupLevel)
  }
  const { debates, reading } = labelled
  const split = splitQuestions(labelled, options.split)
  const seed = options.split && 'seed' in options.split ? options.split.seed : DEFAULT_SEED
  const { score, pilot, neighbours } = scoredRows(labelled, split, options.split, seed)
  const ids = debates.map(({ record }) => record.id)
  return totalCertificate({
    budget: options.budget,
    design: null,
    score,
    split,
    pilot,
    neighbours,
    neighbourGroups: split.neighbours.map((row) => debates[row]!.record.group ?? ''),
    groupConditional: options.groupConditional ?? false,
    deferredGroups: options.deferredGroups ?? [],
    panel: reading,
    ids,
    fingerprint: panelFingerprint(
      labelled,
      options,
      'total',
      canonicalDigest([
        canonicalDigest(ids),
        sha256(labelled.correct),
        sha256(new Uint8Array(neighbours.scores.buffer)),
      ]),
    ),
  })
}

/** The default share of labels that go to the pilot, which determines the score and the classes. */
export function usualPilotShare(labels: number): number {
  return labels < SMALL_SET ? SMALL_SET_PILOT : LARGE_SET_PILOT
}

/**
 * Keeps the runs of a question on one side. All of them are counted, and a question has the same weight whatever the
 * number of its runs.
 */
function splitQuestions({ debates, questions }: LabelledDebates, choice: SplitChoice | undefined): Split {
  const count = debates.length
  if (choice && 'pilot' in choice) {
    const split = splitRows('calibrate', count, choice, null)
    const taught = new Set(split.pilot.map((row) => questions?.[row] ?? row))
    const leak = split.neighbours.find((row) => taught.has(questions?.[row] ?? row))
    if (leak === undefined) return split
    throw new CertificateError('calibrate', 'split.neighbours', 'rows of questions that no pilot row is a run of', leak)
  }
  const { pilot } = splitRows(
    'calibrate',
    count,
    { pilotFraction: usualPilotShare(count), seed: DEFAULT_SEED, ...choice },
    questions,
  )
  const isPilot = new Set(pilot)
  return { pilot, neighbours: Array.from({ length: count }, (_, row) => row).filter((row) => !isPilot.has(row)) }
}
