import { CertificateError } from '../certificate-error.ts'
import type { RoundRows } from '../knn/calibration-rows.ts'
import { type KnnProfile, resolveKnnOptions } from '../knn/knn-options.ts'
import { fitLearnedScore, type LearnedFeatures, type LearnedScore, type PilotRow } from '../states/learned-state.ts'
import type { CalibrateOptions, LabelledDebates } from './calibrate.ts'
import { panelFingerprint } from './fingerprint.ts'
import { resolveGroupLevel, resolveSplit } from './fit-certificate.ts'
import { type KnnCertificate, knnCertificate } from './knn-certificate.ts'
import type { ReadDebate } from './read-debates.ts'
import { rowsDigest } from './rows-digest.ts'
import { chooseRoundState, type RoundState, stateAt } from './state-map.ts'
import { prefixOf } from './step.ts'

/** Labelled debates, and which of them are the pilot. */
interface PilotRows {
  readonly debates: readonly ReadDebate[]
  readonly rounds: number
  /** Row-major: 1 where the panel's answer after that round was right. */
  readonly correct: Uint8Array
  readonly pilot: readonly number[]
}

type KnownScores = Map<string, LearnedScore | null>

/** For each array of debates, the scores of its most recent pilot. */
const KNOWN = new WeakMap<readonly ReadDebate[], { pilot: readonly ReadDebate[]; scores: KnownScores }>()

export function calibrateKnn(
  labelled: LabelledDebates,
  options: CalibrateOptions & { readonly profile: KnnProfile },
): KnnCertificate {
  const where = 'calibrate'
  const { debates, correct, rounds, questions, reading } = labelled
  const knn = resolveKnnOptions(where, options.profile, options)
  const { split, sampleSeed } = resolveSplit(where, { count: debates.length, questions }, options.split)
  const stateChoice = options.state ?? (options.profile === 'paper' ? 'paper' : 'learned')
  const customState = typeof stateChoice === 'object' ? stateChoice.of : null
  const pilot = { debates, rounds, correct, pilot: split.pilot }
  const states = Array.from({ length: rounds }, (_, at) =>
    chooseRoundState(stateChoice, split.pilot.length, () =>
      fitPilotScore(pilot, at + 1, labelled.agents[at] === null ? 'by-spread' : 'by-agent'),
    ),
  )
  const rows = {
    count: debates.length,
    rounds: states.map((state, at) => roundRows(labelled, state, customState, at + 1)),
    groups: debates.map(({ record }) => record.group ?? ''),
    questions,
  }
  const stateName = typeof stateChoice === 'object' ? `custom:${stateChoice.name}` : stateChoice
  return knnCertificate({
    profile: options.profile,
    budget: options.budget,
    options: knn,
    split,
    sampleSeed,
    rows,
    groupConditional: options.groupConditional ?? false,
    groupLevel: resolveGroupLevel(where, options.profile, options.groupLevel),
    panel: reading,
    states,
    customState,
    ids: debates.map(({ record }) => record.id),
    fingerprint: panelFingerprint(labelled, options, stateName, rowsDigest(rows)),
  })

  function roundRows(from: LabelledDebates, state: RoundState, custom: typeof customState, round: number): RoundRows {
    const count = from.debates.length
    let dimension = 0
    let points = new Float64Array(0)
    for (const [row, debate] of from.debates.entries()) {
      // Never null: features are per agent only if every row has the same agents.
      const values = stateAt(state, custom, prefixOf(debate, round), debate.record)!
      if (row === 0) {
        dimension = values.length
        points = new Float64Array(count * dimension)
      }
      if (values.length !== dimension || !values.every(Number.isFinite)) {
        throw new CertificateError(
          where,
          `state of debates[${row}] at round ${round}`,
          `${dimension} finite numbers`,
          values,
        )
      }
      points.set(values, row * dimension)
    }
    const labels = Uint8Array.from({ length: count }, (_, row) => correct[row * rounds + round - 1]!)
    return { points, dimension, correct: labels }
  }
}

/** The pilot rows up to a round. */
export function pilotRows({ debates, rounds, correct, pilot }: PilotRows, round: number): PilotRow[] {
  return pilot.map((row) => ({
    prefix: prefixOf(debates[row]!, round),
    group: debates[row]!.record.group,
    correct: correct[row * rounds + round - 1]!,
  }))
}

/** The learned score of a round, fitted only once per pilot, since certificates on one training half often share it. */
export function fitPilotScore(rows: PilotRows, round: number, sees: LearnedFeatures): LearnedScore | null {
  const scores = knownScores(rows)
  const key = `${round} ${sees}`
  let score = scores.get(key)
  if (score === undefined) {
    score = fitLearnedScore(pilotRows(rows, round), sees)
    scores.set(key, score)
  }
  return score
}

/** Compares the panels themselves, not their positions, since an array may be refilled. */
function knownScores({ debates, pilot }: PilotRows): KnownScores {
  const known = KNOWN.get(debates)
  const isSame = known?.pilot.length === pilot.length && pilot.every((row, at) => known.pilot[at] === debates[row])
  if (known && isSame) return known.scores
  const scores: KnownScores = new Map()
  KNOWN.set(debates, { pilot: pilot.map((row) => debates[row]!), scores })
  return scores
}
