import { type AgentTurn, type Decision, sha256 } from '@quorate/certificate'
import type { DebateSoFar } from '../debate/debate-record.ts'
import { compareCodePoints } from '../questions/code-points.ts'
import { saltedDigest } from '../store/ledger-chain.ts'
import type { LedgerEntry, Millis, Review, RunQuestion, StoredDecision } from '../store/store.ts'
import type { Verdict } from './hold-question.ts'
import { reviewIdOf } from './review-id.ts'

/** A decision as it is stored, exported and chained: enough to make it again from the certificate. */
export interface DecisionRecord {
  readonly quorate: 1
  readonly id: string
  readonly runId: string
  readonly questionId: string
  readonly certificateId: string
  readonly at: Millis
  readonly kind: Verdict['kind']
  readonly answer: string | null
  readonly reason: string | null
  /** Of the action; of a deferral the last that was looked at. */
  readonly round: number
  /** The bound that acted; null for a deferral. */
  readonly bound: number | null
  /** The arithmetic, round by round. */
  readonly path: Decision['path']
  readonly isDrawn: boolean
  /** What the coin of the question was tossed with: the number of the run's key, and the probability. */
  readonly sampling: Sampling | null
  readonly isShadow: boolean
  /** True: the question is among the calibration rows, and was decided all the same. */
  readonly isSeen: boolean
  /** Fields in which the panel is not the calibrated one. */
  readonly mismatch: readonly string[]
  /** What was decided on: the rounds up to the decision, without any text. */
  readonly debate: BareDebate
}

export interface Sampling {
  readonly key: number
  readonly rate: number
}

/** Null: no coin was tossed. */
export function samplingOf({
  samplingKey: key = null,
  samplingRate: rate = null,
}: Partial<Pick<RunQuestion, 'samplingKey' | 'samplingRate'>>): Sampling | null {
  return key === null || rate === null ? null : { key, rate }
}

export interface BareDebate {
  readonly id: string
  readonly group: string | null
  readonly options: readonly string[]
  readonly rounds: readonly (readonly AgentTurn[])[]
}

export interface DecisionContext
  extends Pick<
    DecisionRecord,
    'id' | 'runId' | 'certificateId' | 'at' | 'isDrawn' | 'sampling' | 'isShadow' | 'isSeen' | 'mismatch'
  > {
  /** Rounds that the verdict was reached on. */
  readonly rounds: number
}

export function decisionRecord(verdict: Verdict, debate: DebateSoFar, context: DecisionContext): DecisionRecord {
  const { rounds, ...about } = context
  const isAct = verdict.kind === 'act'
  return {
    quorate: 1,
    ...about,
    questionId: debate.id,
    kind: verdict.kind,
    answer: isAct ? verdict.answer : null,
    reason: isAct ? null : verdict.reason,
    round: isAct ? verdict.round : verdict.path.length,
    bound: isAct ? verdict.bound : null,
    path: verdict.path,
    debate: bareDebate(debate, rounds),
  }
}

export function storedDecision(record: DecisionRecord): StoredDecision {
  const { id, runId, questionId, certificateId, kind, reason, answer, round, isShadow, at } = record
  const decision = JSON.stringify(record)
  return { id, runId, questionId, certificateId, kind, reason, answer, round, decision, isShadow, at }
}

/** In the ledger all that was said stands as one salted digest. */
export function decisionEntry(record: DecisionRecord, debate: DebateSoFar, salt: string): LedgerEntry {
  const { runId, at, questionId } = record
  const said = debate.rounds.map((turns) => turns.map(({ text }) => text))
  const text = JSON.stringify({ question: debate.question, options: debate.options, said })
  const digest = saltedDigest(salt, text)
  const review = reviewOf(record)
  const body = {
    ...record,
    text: digest,
    review: review === null ? null : { source: review.source, reason: review.reason },
  }
  return { runId, kind: 'decision', at, body, texts: [{ digest, salt, text, questionId }] }
}

/** Whom a person is to look at: what was drawn, else what was deferred. A shadow run asks for nothing. */
export function reviewOf(
  record: Pick<DecisionRecord, 'id' | 'runId' | 'questionId' | 'reason' | 'at' | 'kind' | 'isDrawn' | 'isShadow'> & {
    readonly path: readonly Pick<Decision['path'][number], 'lower' | 'threshold'>[]
  },
  /** Of a secret that nobody sees: whether a deferral is reviewed blind follows from it. */
  salt?: string,
): Review | null {
  const { id, runId, questionId, reason, at, kind, isDrawn, isShadow } = record
  if (isShadow || (kind === 'act' && !isDrawn)) return null
  return {
    ...{ id: reviewIdOf(id), runId, questionId, reason, createdAt: at },
    source: isDrawn ? 'spot-check' : 'deferral',
    status: 'waiting',
    assignee: null,
    lockedUntil: null,
    outcome: null,
    distance: distanceToLine(record.path),
    ...(salt === undefined ? {} : { chance: chanceOf(salt) }),
  }
}

/** From 0 to below 1. */
function chanceOf(salt: string): number {
  return Number.parseInt(sha256(`blind review ${salt}`).slice(0, 13), 16) / 2 ** 52
}

/** Between bound and threshold of the last round that was looked at; null where that has no bound. */
function distanceToLine(path: readonly Pick<Decision['path'][number], 'lower' | 'threshold'>[]): number | null {
  const last = path.at(-1)
  return last === undefined || last.lower === null ? null : Math.min(1, Math.abs(last.lower - last.threshold))
}

export function bareDebate({ id, group, options, rounds }: DebateSoFar, held: number): BareDebate {
  return {
    id,
    group,
    // Names of an object have no order of their own: the door sorts them.
    options: Array.isArray(options) ? options : Object.keys(options).sort(compareCodePoints),
    rounds: rounds.slice(0, held).map((turns) => turns.map(({ text: _, usage: __, ...turn }) => turn)),
  }
}
