import { compareCodePoints } from '../beliefs/code-point-order.ts'
import { twelveDecimals } from '../beliefs/twelve-decimals.ts'
import { CertificateError } from '../certificate-error.ts'
import type { RoundRows } from '../knn/calibration-rows.ts'
import { type KnnProfile, resolveKnnOptions } from '../knn/knn-options.ts'
import { fitLearnedScore, type LearnedFeatures, type LearnedScore, type PilotRow } from '../states/learned-state.ts'
import type { CalibrateOptions, LabelledPanels } from './calibrate.ts'
import { type CalibratedTurns, type Fingerprint, METHOD_VERSION } from './fingerprint.ts'
import { resolveGroupLevel, resolveSplit } from './fit-certificate.ts'
import { type KnnCertificate, knnCertificate } from './knn-certificate.ts'
import { type ReadPanel, turnCounts } from './panel.ts'
import { rowsDigest } from './rows-digest.ts'
import { chooseRoundState, type RoundState, stateAt } from './state-map.ts'
import { prefixOf } from './step.ts'

/** Labelled debates, and which of them are the pilot. */
interface PilotRows {
  readonly panels: readonly ReadPanel[]
  readonly rounds: number
  /** Row-major: 1 where the panel's answer after that round was right. */
  readonly correct: Uint8Array
  readonly pilot: readonly number[]
}

type KnownScores = Map<string, LearnedScore | null>

/** For each array of panels, the scores of its most recent pilot. */
const KNOWN = new WeakMap<readonly ReadPanel[], { pilot: readonly ReadPanel[]; scores: KnownScores }>()

export function calibrateKnn(
  labelled: LabelledPanels,
  options: CalibrateOptions & { readonly profile: KnnProfile },
): KnnCertificate {
  const where = 'calibrate'
  const { panels, correct, rounds, questions, reading } = labelled
  const knn = resolveKnnOptions(where, options.profile, options)
  const { split, sampleSeed } = resolveSplit(where, { count: panels.length, questions }, options.split)
  const stateChoice = options.state ?? (options.profile === 'paper' ? 'paper' : 'learned')
  const customState = typeof stateChoice === 'object' ? stateChoice.of : null
  const pilot = { panels, rounds, correct, pilot: split.pilot }
  const states = Array.from({ length: rounds }, (_, at) =>
    chooseRoundState(stateChoice, split.pilot.length, () =>
      fitPilotScore(pilot, at + 1, labelled.agents[at] === null ? 'by-spread' : 'by-agent'),
    ),
  )
  const rows = {
    count: panels.length,
    rounds: states.map((state, at) => roundRows(labelled, state, customState, at + 1)),
    groups: panels.map(({ record }) => record.group ?? ''),
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
    ids: panels.map(({ record }) => record.id),
    fingerprint: panelFingerprint(labelled, options, stateName, rowsDigest(rows)),
  })

  function roundRows(from: LabelledPanels, state: RoundState, custom: typeof customState, round: number): RoundRows {
    const count = from.panels.length
    let dimension = 0
    let points = new Float64Array(0)
    for (const [row, panel] of from.panels.entries()) {
      // Never null: features are per agent only if every row has the same agents.
      const values = stateAt(state, custom, prefixOf(panel, round), panel.record)!
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

export function panelFingerprint(
  labelled: LabelledPanels,
  options: CalibrateOptions,
  state: string,
  rows: string,
): Fingerprint {
  const { rounds, reading, panels } = labelled
  const names = (round: number) =>
    labelled.agents[round] ?? new Set(panels.flatMap(({ record }) => record.rounds[round]?.agents ?? []))
  return {
    models: options.models ?? null,
    prompts: options.prompts ?? null,
    agents: Array.from({ length: rounds }, (_, round) => [...names(round)].sort(compareCodePoints)),
    panels: labelled.agents.includes(null) ? 'varying' : 'same',
    rounds,
    endsEarly: panels.some(({ record }) => record.ended === 'protocol'),
    elicitation: reading.elicitation,
    turns: calibratedTurns(labelled),
    settings: options.settings ?? null,
    reader: options.reader ?? null,
    state,
    methodVersion: METHOD_VERSION,
    rows,
  }
}

/** Counts only the first run of a question, since runs of one question are not independent. */
function calibratedTurns({ panels, questions }: LabelledPanels): CalibratedTurns {
  const { answered, missing } = turnCounts(panels)
  const counted = new Set<string>()
  let firstMissing = 0
  for (const [row, { record }] of panels.entries()) {
    const question = questions?.[row] ?? record.id
    if (record.firstMissing === null || counted.has(question)) continue
    counted.add(question)
    firstMissing += record.firstMissing
  }
  return { answered, missing, questions: counted.size, firstMissing: twelveDecimals(firstMissing) }
}

/** The pilot rows up to a round. */
export function pilotRows({ panels, rounds, correct, pilot }: PilotRows, round: number): PilotRow[] {
  return pilot.map((row) => ({
    prefix: prefixOf(panels[row]!, round),
    group: panels[row]!.record.group,
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
function knownScores({ panels, pilot }: PilotRows): KnownScores {
  const known = KNOWN.get(panels)
  const isSame = known?.pilot.length === pilot.length && pilot.every((row, at) => known.pilot[at] === panels[row])
  if (known && isSame) return known.scores
  const scores: KnownScores = new Map()
  KNOWN.set(panels, { pilot: pilot.map((row) => panels[row]!), scores })
  return scores
}
