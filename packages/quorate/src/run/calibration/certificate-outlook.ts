import {
  type CalibrateOptions,
  type Certificate,
  calibrate,
  clopperPearsonInterval,
  halves,
  isRightAt,
  permutation,
  questionKeys,
  type ReadDebate,
  seededRandom,
} from '@quorate/certificate'
import type { DebatesOfQuestions } from './calibration-debates.ts'

/** What a certificate can do, estimated from its own rows. */
export interface CertificateOutlook {
  /** How many of the cells with rows allow acting; null for a certificate without cells. */
  readonly cells: { readonly acting: number; readonly of: number } | null
  /** A certificate from one half of the questions, tested on the other half; null if there are too few. */
  readonly heldOut: HeldOut | null
  /** Wrong answers if every debate were acted on after its last round. A failed debate counts as wrong. */
  readonly always: OutlookShare
  /** How twice the labels changed the share acted on, on the same held-out half; null if there are too few. */
  readonly doubling: Doubling | null
}

export interface Doubling {
  readonly from: number
  readonly to: number
  readonly change: number
}

export interface HeldOut {
  readonly debates: number
  readonly acted: OutlookShare
  /** Share of all debates that were acted on and wrong. */
  readonly wrong: OutlookShare
}

export interface OutlookShare {
  readonly count: number
  readonly share: number
  readonly lower: number
  readonly upper: number
}

const FEWEST_DEBATES = 20
const LEVEL = 0.95
/** Seed of the one split that is tried. */
const SPLIT_SEED = 7

export function certificateOutlook(
  certificate: Certificate,
  { read, questionOf }: DebatesOfQuestions,
  options: CalibrateOptions,
): CertificateOutlook {
  const tried = read.debates.length < FEWEST_DEBATES ? NOT_TRIED : tryHalf({ read, questionOf }, options)
  const cells = certificate.kind === 'cells' ? cellsOf(certificate, read) : null
  return { cells, ...tried, always: alwaysActing(read.debates) }
}

const NOT_TRIED = { heldOut: null, doubling: null } as const

function alwaysActing(debates: readonly ReadDebate[]): OutlookShare {
  const isRight = (debate: ReadDebate) => !debate.record.isFailed && isRightAt(debate, debate.rounds.length)
  return shareOf(debates.filter((debate) => !isRight(debate)).length, debates.length)
}

function cellsOf(certificate: Certificate, { debates }: DebatesOfQuestions['read']): CertificateOutlook['cells'] {
  const acts = new Map<string, boolean>()
  for (const debate of debates) {
    for (let round = 1; round <= Math.min(debate.rounds.length, certificate.rounds); round++) {
      const assessed = certificate.assess(debate, round)
      if (assessed.kind !== 'step' || assessed.step.cell === undefined) continue
      const { lower, threshold, cell } = assessed.step
      acts.set(`${round} ${cell} ${debate.record.group ?? ''}`, lower !== null && lower >= threshold)
    }
  }
  return { acting: [...acts.values()].filter(Boolean).length, of: acts.size }
}

function tryHalf({ read: { reading, debates }, questionOf }: DebatesOfQuestions, options: CalibrateOptions) {
  const keys = questionKeys(debates, questionOf)
  const { train, test } = halves(keys, SPLIT_SEED)
  const debatesIn = (rows: readonly number[]) => rows.flatMap((row) => debates[row] ?? [])
  // Runs of one question tend to be right or wrong together, so they count as one in the interval.
  const tested = debatesIn(oneEach([...test], keys))
  const tryFrom = (taught: readonly ReadDebate[]): HeldOut | null => {
    if (taught.every(({ record }) => record.isFailed)) return null
    const certificate = calibrate({ reading, debates: taught }, { ...options, questionOf, trustGrades: true })
    return { ...actions(certificate, tested), debates: tested.length }
  }
  const [taught, fewer] = [debatesIn([...train]), debatesIn([...train].slice(0, Math.floor(train.length / 2)))]
  const heldOut = tryFrom(taught)
  const before = heldOut === null || fewer.length < FEWEST_DEBATES ? null : tryFrom(fewer)
  if (heldOut === null || before === null) return { heldOut, doubling: null }
  const change = heldOut.acted.share - before.acted.share
  return { heldOut, doubling: { from: fewer.length, to: taught.length, change } }
}

function actions(certificate: Certificate, tested: readonly ReadDebate[]) {
  let acted = 0
  let wrong = 0
  for (const debate of tested) {
    const round = actedAt(certificate, debate)
    if (round === null) continue
    acted += 1
    if (!isRightAt(debate, round)) wrong += 1
  }
  return { acted: shareOf(acted, tested.length), wrong: shareOf(wrong, tested.length) }
}

/** One row per question, the first in a seeded random order. */
function oneEach(rows: readonly number[], keys: readonly string[]): readonly number[] {
  const sampled = new Map<string, number>()
  for (const at of permutation(rows.length, seededRandom(SPLIT_SEED))) {
    const row = rows[at] ?? 0
    const key = keys[row] ?? ''
    if (!sampled.has(key)) sampled.set(key, row)
  }
  return [...sampled.values()]
}

/** The round in which a debate is acted on, as in `decide`; null if none. A failed debate is assessed as far as it went. */
function actedAt(certificate: Certificate, debate: ReadDebate): number | null {
  if (!certificate.feasible) return null
  for (let round = 1; round <= Math.min(debate.rounds.length, certificate.rounds); round++) {
    const assessed = certificate.assess(debate, round)
    if (assessed.kind === 'uncalibrated') return null
    const { lower, threshold } = assessed.step
    if (lower !== null && lower >= threshold) return round
    if (assessed.isFinal) return null
  }
  return null
}

function shareOf(count: number, of: number): OutlookShare {
  const { lower, upper } = clopperPearsonInterval(count, of, LEVEL)
  return { count, share: count / of, lower, upper }
}
