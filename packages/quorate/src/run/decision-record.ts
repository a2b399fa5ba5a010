import { hash } from 'node:crypto'
import type { DebateSoFar } from '../debate/debate-record.ts'
import { compareCodePoints } from '../record/code-points.ts'
import type { BareDebate, DecisionRecord, Sampling } from '../record/decision.ts'
import { saltedDigest } from '../store/decisions/ledger-chain.ts'
import type { LedgerEntry, Review, RunQuestion, StoredDecision } from '../store/store.ts'
import type { Verdict } from './debate-question.ts'

/** Milliseconds and counter of a UUID of version 7, `018f3c2a-9b1e-7abc`: reviews are then in the order of their decisions. */
const ORDERING = 18

/** Null: no coin was tossed. */
export function samplingOf({
  samplingKey: key = null,
  samplingRate: rate = null,
}: Partial<Pick<RunQuestion, 'samplingKey' | 'samplingRate'>>): Sampling | null {
  return key === null || rate === null ? null : { key, rate }
}

/** Fields of a record that its verdict and its debate give; all others are of its context. */
type FoundField = 'quorate' | 'questionId' | 'kind' | 'answer' | 'reason' | 'round' | 'bound' | 'path' | 'debate'

export interface DecisionContext extends Omit<DecisionRecord, FoundField> {
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

/** The ledger has the texts of a debate as one salted digest. */
export function decisionEntry(record: DecisionRecord, debate: DebateSoFar, salt: string): LedgerEntry {
  const { runId, at, questionId } = record
  const texts = debate.rounds.map((turns) => turns.map(({ text }) => text))
  const text = JSON.stringify({ question: debate.question, options: debate.options, texts })
  const digest = saltedDigest(salt, text)
  const review = reviewOf(record)
  const body = {
    ...record,
    text: digest,
    review: review === null ? null : { source: review.source, reason: review.reason },
  }
  return { runId, kind: 'decision', at, body, texts: [{ digest, salt, text, questionId }] }
}

/** Whom a person is to look at: what was sampled, else what was deferred. A shadow run asks for nothing. */
export function reviewOf(
  record: DecisionRecord,
  /** Of a secret that nobody sees: whether a deferral is reviewed blind follows from it. */
  salt?: string,
): Review | null {
  const { id, runId, questionId, reason, at, kind, isSpotCheck, isShadow } = record
  if (isShadow || (kind === 'act' && !isSpotCheck)) return null
  return {
    id: reviewIdOf(id),
    runId,
    questionId,
    reason,
    createdAt: at,
    source: isSpotCheck ? 'spot-check' : 'deferral',
    status: 'waiting',
    assignee: null,
    lockedUntil: null,
    outcome: null,
    distance: distanceToThreshold(record.path),
    ...(salt === undefined ? {} : { chance: chanceOf(salt) }),
  }
}

/** From 0 to below 1. */
function chanceOf(salt: string): number {
  return Number.parseInt(hash('sha256', `blind review ${salt}`).slice(0, 13), 16) / 2 ** 52
}

/** Between bound and threshold of the last round that was looked at; null where that has no bound. */
function distanceToThreshold(path: DecisionRecord['path']): number | null {
  const last = path.at(-1)
  return last === undefined || last.lower === null ? null : Math.min(1, Math.abs(last.lower - last.threshold))
}

export function bareDebate({ id, group, options, rounds, judged_by: judged }: DebateSoFar, count: number): BareDebate {
  return {
    id,
    group,
    // Names of an object have no order of their own: the reader sorts them.
    options: Array.isArray(options) ? options : Object.keys(options).sort(compareCodePoints),
    rounds: rounds.slice(0, count).map((turns) => turns.map(({ text: _, usage: __, ...turn }) => turn)),
    ...(judged === undefined ? {} : { judged_by: judged.slice(0, count) }),
  }
}

/**
 * The id of the item that a decision has in the queue: the same for the same decision, so that it is added once, and its
 * last 62 bits lead back to no decision, so that who has the item cannot ask for what was decided.
 */
export function reviewIdOf(decisionId: string): string {
  const digest = hash('sha256', `review of ${decisionId}`)
  const variant = ((Number.parseInt(digest.slice(0, 1), 16) % 4) + 8).toString(16)
  return `${decisionId.slice(0, ORDERING)}-${variant}${digest.slice(1, 4)}-${digest.slice(4, 16)}`
}
