import type { Debate } from '../beliefs/debate.ts'
import { type Budget, checkBudget } from '../budget.ts'
import type { CellVariant } from '../cells/choose-design.ts'
import { CertificateError } from '../certificate-error.ts'
import { choice } from '../choice.ts'
import type { KnnOptions } from '../knn/knn-options.ts'
import type { SplitChoice } from '../knn/split-rows.ts'
import { calibrateCells } from './calibrate-cells.ts'
import { calibrateKnn } from './calibrate-knn.ts'
import { calibrateTotal } from './calibrate-total.ts'
import { carriedForward } from './carry-forward.ts'
import type { CellsCertificate } from './cells-certificate.ts'
import { checkCalibrateOptions } from './check-calibrate-options.ts'
import type { GroupLevel } from './fit-certificate.ts'
import type { KnnCertificate } from './knn-certificate.ts'
import {
  agentNames,
  isReadDebates,
  labelsOf,
  questionKeys,
  type ReadDebate,
  type ReadDebates,
  type ReadingOptions,
  type ResolvedReading,
  readDebates,
} from './read-debates.ts'
import type { StateChoice } from './state-map.ts'
import type { TotalCertificate } from './total-certificate.ts'

export type Certificate = KnnCertificate | CellsCertificate | TotalCertificate

/** The profiles of certificates. `total` is the default of the product. */
export const PROFILES = ['total', 'cells', 'tight', 'paper'] as const
export type Profile = (typeof PROFILES)[number]

/** Options of the profiles `tight` and `paper` in addition to the budget. The other profiles have none of them. */
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
  /** Default: `paper` for the profile `paper`, `learned` for `tight`. Cells always use the learned score. */
  readonly state?: StateChoice
  /** Default: `path`. `auto` chooses between `path` and `nominate` on the pilot. */
  readonly cells?: CellVariant
  /** Decides each question from the rows of its own group. */
  readonly groupConditional?: boolean
  readonly groupLevel?: GroupLevel
  /**
   * Takes the grades of a model as the truth, as an evaluation against these same grades does. The promise is then
   * about the grades and not about a person's judgement.
   */
  readonly trustGrades?: boolean
  /** `total`: questions of these groups always go to a person. */
  readonly deferredGroups?: readonly string[]
  /**
   * Key of the question that a debate is a run of, in addition to `question_of` of the debates. Runs of one question
   * stay on one side of the split. `total` counts all of them, with one weight per question; the other profiles count
   * one of them.
   */
  readonly questionOf?: (id: string) => string
  /** Facts about the panel that the records lack, for the fingerprint. */
  readonly models?: Readonly<Record<string, string>>
  readonly prompts?: string
  readonly settings?: Readonly<Record<string, string>>
  readonly reader?: number
}

/** Labelled debates with every round, as a calibration set. */
export interface LabelledDebates {
  /** Debates with fewer rounds have their last round carried forward. */
  readonly debates: readonly ReadDebate[]
  /** Row-major: 1 where the panel's answer after that round was right. */
  readonly correct: Uint8Array
  readonly rounds: number
  readonly reading: ResolvedReading
  /** Key of each row's question; null if every row is its own question. */
  readonly questions: readonly string[] | null
  /** Names of the agents of each round, ordered by code point; null where rows differ. */
  readonly agents: readonly (readonly string[] | null)[]
  /** Whether a model graded some of them. */
  readonly isJudged: boolean
}

/**
 * Makes a certificate from debates: reads beliefs, fits states or cells on pilot rows, and counts the other rows.
 *
 * A debate with a `failure` may have fewer rounds than the others. Its last round is carried forward, and the missing
 * rounds count as wrong (`carriedForward`). For `total` the missing rounds count as a deferral, and so do the rounds
 * after the end of a protocol that ends early (`ended`). Any other debate must have every round.
 */
export function calibrate(
  debates: readonly Debate[] | ReadDebates,
  options: CalibrateOptions & { readonly profile: 'total' },
): TotalCertificate
export function calibrate(
  debates: readonly Debate[] | ReadDebates,
  options: CalibrateOptions & { readonly profile: 'cells' },
): CellsCertificate
export function calibrate(
  debates: readonly Debate[] | ReadDebates,
  options: CalibrateOptions & { readonly profile: 'paper' | 'tight' },
): KnnCertificate
export function calibrate(debates: readonly Debate[] | ReadDebates, options: CalibrateOptions): Certificate
export function calibrate(debates: readonly Debate[] | ReadDebates, options: CalibrateOptions): Certificate {
  const profile = choice('calibrate', 'profile', options?.profile, PROFILES)
  checkBudget('calibrate', options.budget)
  const checked = checkCalibrateOptions(options)
  const labelled = readLabelled(debates, { ...checked, profile })
  if (profile === 'total') return calibrateTotal(labelled, checked)
  return profile === 'cells' ? calibrateCells(labelled, checked) : calibrateKnn(labelled, { ...checked, profile })
}

function readLabelled(given: readonly Debate[] | ReadDebates, options: CalibrateOptions): LabelledDebates {
  const where = 'calibrate'
  const { debates, reading } = isReadDebates(given) ? given : readDebates(given, options, where)
  if (debates.length === 0) throw new CertificateError(where, 'debates', 'at least one labelled debate', debates)
  refuseRepeats(debates)
  refuseStopped(debates)
  const rounds = roundsOf(debates, options.profile)
  const correct = new Uint8Array(debates.length * rounds)
  // Rounds that a debate lacks stay 0, which means wrong.
  for (const [row, debate] of debates.entries()) correct.set(labelsOf(debate, where, `debates[${row}]`), row * rounds)
  const agents = Array.from({ length: rounds }, (_, round) => agentNames(debates, round))
  const carried = carriedForward(debates, agents)
  const questions = questionsOf(debates, options)
  const isJudged = options.trustGrades !== true && judgedByModel(debates, options.profile, questions !== null)
  return { debates: carried, correct, rounds, reading, agents, questions, isJudged }
}

/**
 * Whether a model graded. Its error is then part of the promise and needs a person's grades of a random sample. A set
 * with `audits` counts as graded by a model, whatever the name of the grader.
 */
function judgedByModel(debates: readonly ReadDebate[], profile: Profile, hasRuns: boolean): boolean {
  const isModel = ({ record: { truth } }: ReadDebate) =>
    truth?.kind === 'grades' && truth.rounds.some((grade) => grade?.by === 'model' || grade?.by?.startsWith('model:'))
  const isAudited = debates.some(({ record }) => record.audits !== null)
  const row = debates.findIndex(isModel)
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

/**
 * A policy that continues where another one stopped needs rounds that never took place, and its wrong actions there
 * would be hidden.
 */
function refuseStopped(debates: readonly ReadDebate[]): void {
  const row = debates.findIndex(({ record }) => record.ended === 'stopped')
  if (row < 0) return
  const expected =
    'null or "protocol": a decision stopped this debate, so the answers of later rounds are unknown. Calibrate on ' +
    'debates that went on to their last round, such as spot checks'
  throw new CertificateError('calibrate', `debates[${row}].ended`, expected, 'stopped')
}

/**
 * Number of rounds of every debate. A debate that broke off may have fewer, and for `total` also one that its protocol
 * ended.
 */
function roundsOf(debates: readonly ReadDebate[], profile: Profile): number {
  const endedItself = ({ record }: ReadDebate) => profile === 'total' && record.ended === 'protocol'
  const first = firstWhole(debates, endedItself)
  const rounds = debates[first]!.rounds.length
  for (const [row, debate] of debates.entries()) {
    const count = debate.rounds.length
    if (count === rounds || ((debate.record.isFailed || endedItself(debate)) && count < rounds)) continue
    const advice = debate.record.ended === 'protocol' ? ' (a protocol that ends early needs the profile total)' : ''
    const expected = `of ${rounds} rounds like debates[${first}], since calibration needs every round${advice}`
    throw new CertificateError('calibrate', `debates[${row}].rounds`, expected, count)
  }
  return rounds
}

/** Row of a debate that has every round. If the protocol ended all of them, the longest one counts as whole. */
function firstWhole(debates: readonly ReadDebate[], endedItself: (debate: ReadDebate) => boolean): number {
  const whole = debates.findIndex((debate) => !(debate.record.isFailed || endedItself(debate)))
  if (whole >= 0) return whole
  const longest = debates.filter(endedItself).reduce((most, { rounds }) => Math.max(most, rounds.length), 0)
  const first = debates.findIndex((debate) => endedItself(debate) && debate.rounds.length === longest)
  if (first >= 0) return first
  throw new CertificateError('calibrate', 'debates', 'at least one that did not fail', debates)
}

/** The parser refuses repeated ids, but a selection of read debates may contain one twice. */
function refuseRepeats(debates: readonly ReadDebate[]): void {
  const seen = new Set<string>()
  for (const [row, { record }] of debates.entries()) {
    if (seen.has(record.id))
      throw new CertificateError('calibrate', `debates[${row}].id`, 'unlike every other', record.id)
    seen.add(record.id)
  }
}

function questionsOf(debates: readonly ReadDebate[], { questionOf }: CalibrateOptions): readonly string[] | null {
  const keys = questionKeys(debates, questionOf, 'calibrate')
  return new Set(keys).size === keys.length ? null : keys
}
