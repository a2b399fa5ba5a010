import type { Debate } from '../beliefs/debate.ts'
import { type Budget, checkBudget } from '../budget.ts'
import { canonicalDigest } from '../canonical/canonical-digest.ts'
import { sha256 } from '../canonical/sha256.ts'
import type { CellVariant } from '../cells/choose-design.ts'
import { CertificateError } from '../certificate-error.ts'
import { choice } from '../choice.ts'
import type { KnnOptions } from '../knn/knn-options.ts'
import type { SplitChoice } from '../knn/split-rows.ts'
import { calibrateKnn, panelFingerprint } from './calibrate-knn.ts'
import { calibrateTotal } from './calibrate-total.ts'
import { carriedForward } from './carry-forward.ts'
import { type CellsCertificate, cellsCertificate } from './cells-certificate.ts'
import { checkCalibrateOptions } from './check-calibrate-options.ts'
import { type GroupLevel, resolveGroupLevel, resolveSplit } from './fit-certificate.ts'
import type { KnnCertificate } from './knn-certificate.ts'
import {
  agentNames,
  isPanels,
  labelsOf,
  type PanelReading,
  type Panels,
  questionKeys,
  type ReadingOptions,
  type ReadPanel,
  readPanels,
} from './panel.ts'
import { scoredRows } from './scored-rows.ts'
import type { StateChoice } from './state-map.ts'
import type { TotalCertificate } from './total-certificate.ts'

export type Certificate = KnnCertificate | CellsCertificate | TotalCertificate

/** Ways to make a certificate; `total` is the usual one. */
export const PROFILES = ['total', 'cells', 'tight', 'paper'] as const
export type Profile = (typeof PROFILES)[number]

/** Options of the profiles `tight` and `paper` beside the budget; the other profiles have none of them. */
export interface LocalOptions extends Partial<Pick<KnnOptions, (typeof LOCAL_KNN_NAMES)[number]>> {
  /** Default: `paper` for the paper profile, `learned` for tight. */
  readonly state?: StateChoice
}

const LOCAL_KNN_NAMES = [
  'envelope',
  'smoother',
  'rho',
  'concentration',
  'kFamily',
] as const satisfies readonly (keyof KnnOptions)[]

export const LOCAL_OPTION_NAMES = [...LOCAL_KNN_NAMES, 'state'] as const satisfies readonly (keyof LocalOptions)[]

export interface CalibrateOptions extends Partial<KnnOptions>, ReadingOptions {
  readonly profile: Profile
  readonly budget: Budget
  readonly split?: SplitChoice
  /** Default: `paper` for the paper profile, `learned` for tight. Cells always use the learned score. */
  readonly state?: StateChoice
  /** Default: path; `auto` chooses between path and nominate on the pilot. */
  readonly cells?: CellVariant
  /** Decide each question from the rows of its own group. */
  readonly groupConditional?: boolean
  readonly groupLevel?: GroupLevel
  /**
   * Take the grades of a model for the truth, as an evaluation against these very grades does. The promise is then about the
   * grades and not about what a person would say.
   */
  readonly trustGrades?: boolean
  /** `total`: questions of these groups always go to a person. */
  readonly deferredGroups?: readonly string[]
  /**
   * Key of the question that a debate is a run of, where `question_of` of the debates does not say it already: runs of
   * one question stay on one side, and one of them is counted.
   */
  readonly questionOf?: (id: string) => string
  /** What is known of the panel beyond the records, for the fingerprint. */
  readonly models?: Readonly<Record<string, string>>
  readonly prompts?: string
  readonly settings?: Readonly<Record<string, string>>
  readonly reader?: number
}

/** Labelled debates with every round, as a calibration set. */
export interface LabelledPanels {
  /** Those with fewer rounds have their last one carried forward. */
  readonly panels: readonly ReadPanel[]
  /** Row-major: 1 where the panel's answer of that round was right. */
  readonly correct: Uint8Array
  readonly rounds: number
  readonly reading: PanelReading
  /** Key of each row's question; null where every row is its own. */
  readonly questions: readonly string[] | null
  /** Names of the agents of each round by code point; null where rows differ. */
  readonly agents: readonly (readonly string[] | null)[]
  /** Whether a model graded some of them. */
  readonly isJudged: boolean
}

/**
 * From debate records to a certificate: reads beliefs, fits states or cells on pilot rows, and counts the others.
 *
 * A debate with a `failure` may have fewer rounds than the others. Those that it lacks are its last one carried forward
 * and count as wrong (`carriedForward`). For `total` they count as a deferral, and so do the rounds after the end of a
 * protocol that ends early (`ended`). Any other debate must have every round.
 */
export function calibrate(
  debates: readonly Debate[] | Panels,
  options: CalibrateOptions & { readonly profile: 'total' },
): TotalCertificate
export function calibrate(
  debates: readonly Debate[] | Panels,
  options: CalibrateOptions & { readonly profile: 'cells' },
): CellsCertificate
export function calibrate(
  debates: readonly Debate[] | Panels,
  options: CalibrateOptions & { readonly profile: 'paper' | 'tight' },
): KnnCertificate
export function calibrate(debates: readonly Debate[] | Panels, options: CalibrateOptions): Certificate
export function calibrate(debates: readonly Debate[] | Panels, options: CalibrateOptions): Certificate {
  const profile = choice('calibrate', 'profile', options?.profile, PROFILES)
  checkBudget('calibrate', options.budget)
  const checked = checkCalibrateOptions(options)
  const labelled = readLabelled(debates, { ...checked, profile })
  if (profile === 'total') return calibrateTotal(labelled, checked)
  return profile === 'cells' ? calibrateCells(labelled, checked) : calibrateKnn(labelled, { ...checked, profile })
}

function readLabelled(debates: readonly Debate[] | Panels, options: CalibrateOptions): LabelledPanels {
  const where = 'calibrate'
  const { panels, reading } = isPanels(debates) ? debates : readPanels(debates, options, where)
  if (panels.length === 0) throw new CertificateError(where, 'debates', 'at least one labelled debate', panels)
  refuseRepeats(panels)
  refuseStopped(panels)
  const rounds = roundsOf(panels, options.profile)
  const correct = new Uint8Array(panels.length * rounds)
  // Rounds that a debate lacks stay 0.
  for (const [row, panel] of panels.entries()) correct.set(labelsOf(panel, where, `debates[${row}]`), row * rounds)
  const agents = Array.from({ length: rounds }, (_, round) => agentNames(panels, round))
  const carried = carriedForward(panels, agents)
  const questions = questionsOf(panels, options)
  const isJudged = options.trustGrades !== true && judgedByModel(panels, options.profile, questions !== null)
  return { panels: carried, correct, rounds, reading, agents, questions, isJudged }
}

/**
 * Whether a model graded. Its error is then part of the promise, which needs a person's grades of debates drawn at random.
 * A set that a person checked counts as graded by a model, under any name.
 */
function judgedByModel(panels: readonly ReadPanel[], profile: Profile, hasRuns: boolean): boolean {
  const isModel = ({ record: { truth } }: ReadPanel) =>
    truth?.kind === 'grades' && truth.rounds.some((grade) => grade?.by === 'model' || grade?.by?.startsWith('model:'))
  const isAudited = panels.some(({ record }) => record.audits !== null)
  const row = panels.findIndex(isModel)
  if (row < 0 && !isAudited) return false
  const refuse = (expected: string) => {
    throw new CertificateError('calibrate', `debates[${Math.max(0, row)}].grades`, expected, 'grades of a model')
  }
  if (!isAudited) {
    refuse(
      'graded by a person, or beside `audits` for debates drawn at random: the error of a model is part of the promise',
    )
  }
  if (profile !== 'total') refuse('graded by a person for profiles other than total')
  if (hasRuns) refuse('graded by a person where questions have several runs')
  return true
}

/** A policy that goes on where another one stopped needs rounds that nobody held, and its wrong actions there are hidden. */
function refuseStopped(panels: readonly ReadPanel[]): void {
  const row = panels.findIndex(({ record }) => record.ended === 'stopped')
  if (row < 0) return
  const expected =
    'null or "protocol": a decision stopped this debate, so the answers of later rounds are unknown. Calibrate on ' +
    'debates that went on to their last round, such as spot checks'
  throw new CertificateError('calibrate', `debates[${row}].ended`, expected, 'stopped')
}

/** Of every debate. One that broke off may have fewer, and for `total` one that its protocol ended. */
function roundsOf(panels: readonly ReadPanel[], profile: Profile): number {
  const endedItself = ({ record }: ReadPanel) => profile === 'total' && record.ended === 'protocol'
  const first = firstWhole(panels, endedItself)
  const rounds = panels[first]!.rounds.length
  for (const [row, panel] of panels.entries()) {
    const count = panel.rounds.length
    if (count === rounds || ((panel.record.isFailed || endedItself(panel)) && count < rounds)) continue
    const advice = panel.record.ended === 'protocol' ? '; a protocol that ends early needs the profile total' : ''
    const expected = `of ${rounds} rounds like debates[${first}], since calibration needs every round${advice}`
    throw new CertificateError('calibrate', `debates[${row}].rounds`, expected, count)
  }
  return rounds
}

/** Place of a debate that has every round: the longest one where the protocol ended all of them. */
function firstWhole(panels: readonly ReadPanel[], endedItself: (panel: ReadPanel) => boolean): number {
  const whole = panels.findIndex((panel) => !(panel.record.isFailed || endedItself(panel)))
  if (whole >= 0) return whole
  const longest = panels.filter(endedItself).reduce((most, { rounds }) => Math.max(most, rounds.length), 0)
  const first = panels.findIndex((panel) => endedItself(panel) && panel.rounds.length === longest)
  if (first >= 0) return first
  throw new CertificateError('calibrate', 'debates', 'at least one that did not fail', panels)
}

/** The reader refuses repeated ids; panels picked from what it read may name one twice again. */
function refuseRepeats(panels: readonly ReadPanel[]): void {
  const seen = new Set<string>()
  for (const [row, { record }] of panels.entries()) {
    if (seen.has(record.id))
      throw new CertificateError('calibrate', `debates[${row}].id`, 'unlike every other', record.id)
    seen.add(record.id)
  }
}

function questionsOf(panels: readonly ReadPanel[], { questionOf }: CalibrateOptions): readonly string[] | null {
  const keys = questionKeys(panels, questionOf, 'calibrate')
  return new Set(keys).size === keys.length ? null : keys
}

function calibrateCells(labelled: LabelledPanels, options: CalibrateOptions): CellsCertificate {
  const where = 'calibrate'
  const { panels, questions, reading } = labelled
  const { split, sampleSeed } = resolveSplit(where, { count: panels.length, questions }, options.split)
  const { score, pilot, neighbours } = scoredRows(labelled, split, options.split, sampleSeed)
  const ids = panels.map(({ record }) => record.id)
  const scores = new Uint8Array(neighbours.scores.buffer)
  return cellsCertificate({
    budget: options.budget,
    variant: choice(where, 'cells', options.cells ?? 'path', ['auto', 'path', 'nominate']),
    design: null,
    score,
    split,
    pilot,
    neighbours,
    neighbourGroups: split.neighbours.map((row) => panels[row]!.record.group ?? ''),
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
