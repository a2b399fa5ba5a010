import { hash } from 'node:crypto'
import { compareCodePoints, type Decision } from '@quorate/certificate'
import type { DebateSoFar, DebateTurn } from '../debate/debate-record.ts'
import type { BareDebate, DecisionRecord, Found, Sampling } from '../record/decision.ts'
import type { QuestionSampling } from '../record/run.ts'
import { saltedDigest } from '../store/decisions/ledger-chain.ts'
import type { LedgerEntry, Review, StoredDecision } from '../store/store.ts'
import type { Verdict } from './debate-question.ts'

/** Length of the time and counter of a UUID version 7, `018f3c2a-9b1e-7abc`: they order reviews like their decisions. */
const ORDERING = 18

/** How a question was sampled for a spot check; null: nothing was sampled. */
export function samplingOf({
  samplingKey: key = null,
  samplingRate: rate = null,
}: Partial<QuestionSampling>): Sampling | null {
  return key === null || rate === null ? null : { key, rate }
}

/** The fields of a record that follow from neither the verdict nor the debate. */
export interface DecisionContext extends Omit<DecisionRecord, keyof Found | 'quorate' | 'questionId' | 'debate'> {
  /** How many rounds the verdict is based on. */
  readonly rounds: number
}

export function decisionRecord(verdict: Verdict, debate: DebateSoFar, context: DecisionContext): DecisionRecord {
  const { rounds, ...about } = context
  return {
    quorate: 1,
    ...about,
    questionId: debate.id,
    ...foundFields(verdict),
    debate: bareDebate(debate, rounds),
  }
}

/** A verdict, or the state of a debate that continues. */
export type AnyVerdict = Verdict | Extract<Decision, { kind: 'continue' }>

/** A debate that continues, with the path of a record. */
export type Continued = Pick<Found, 'path'> & { readonly kind: 'continue' }

/** What was found, with the kinds that are possible. */
interface FoundAs<Kind> extends Omit<Found, 'kind'> {
  readonly kind: Kind
}

/** The fields of a record that follow from the verdict. */
export function foundFields<Given extends AnyVerdict | Continued>(verdict: Given): FoundAs<Given['kind']> {
  const kind: Given['kind'] = verdict.kind
  const isAct = verdict.kind === 'act'
  return {
    kind,
    answer: isAct ? verdict.answer : null,
    reason: verdict.kind === 'defer' ? verdict.reason : null,
    round: isAct ? verdict.round : verdict.path.length,
    bound: isAct ? verdict.bound : null,
    path: verdict.path,
  }
}

export function storedDecision(record: DecisionRecord): StoredDecision {
  const { id, runId, questionId, certificateId, kind, reason, answer, round, isShadow, at } = record
  const decision = JSON.stringify(record)
  return { id, runId, questionId, certificateId, kind, reason, answer, round, decision, isShadow, at }
}

/** The ledger row contains the texts of a debate only as one salted digest. */
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

/** The review item of a decision, if it is a spot check or a deferral. A shadow run asks for no reviews. */
export function reviewOf(
  record: DecisionRecord,
  /** A secret, which determines whether a deferral is reviewed blind. */
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
    claimedBy: null,
    claimedUntil: null,
    outcome: null,
    distance: distanceToThreshold(record.path),
    ...(salt === undefined ? {} : { chance: chanceOf(salt) }),
  }
}

/** A number from 0 to below 1. */
function chanceOf(salt: string): number {
  return Number.parseInt(hash('sha256', `blind review ${salt}`).slice(0, 13), 16) / 2 ** 52
}

/** Distance between bound and threshold in the last assessed round; null if it has no bound. */
function distanceToThreshold(path: DecisionRecord['path']): number | null {
  const last = path.at(-1)
  return last === undefined || last.lower === null ? null : Math.min(1, Math.abs(last.lower - last.threshold))
}

export function bareDebate({ id, group, options, rounds, judged_by: judged }: DebateSoFar, count: number): BareDebate {
  return {
    id,
    group,
    // The keys of an object have no defined order, and the reader sorts them.
    options: Array.isArray(options) ? options : Object.keys(options).sort(compareCodePoints),
    rounds: rounds.slice(0, count).map((turns) => turns.map(bareTurn)),
    ...(judged === undefined ? {} : { judged_by: judged.slice(0, count) }),
  }
}

/**
 * The fields of a turn that a decision is made from. The record and the ledger outlive a redaction, so no text may get into them. A
 * new field does not compile until this table says whether it is kept.
 */
const IS_KEPT: Readonly<Record<keyof DebateTurn, boolean>> = {
  agent: true,
  answer: true,
  beliefs: true,
  conf: true,
  samples: true,
  served: true,
  answer_text: false,
  text: false,
  usage: false,
}

const KEPT_FIELDS = Object.entries(IS_KEPT).flatMap(([name, isKept]) => (isKept ? [name as keyof DebateTurn] : [])) // keys of the table

function bareTurn(turn: DebateTurn): BareDebate['rounds'][number][number] {
  const { agent, answer } = turn
  const known = KEPT_FIELDS.filter((name) => turn[name] !== undefined)
  return { agent, answer, ...Object.fromEntries(known.map((name) => [name, turn[name]])) }
}

/**
 * The id of the review item of a decision. It is the same for the same decision, so the item is added once. Its last 62 bits
 * are a digest, so a reviewer cannot derive the id of the decision and ask what was decided.
 */
export function reviewIdOf(decisionId: string): string {
  const digest = hash('sha256', `review of ${decisionId}`)
  const variant = ((Number.parseInt(digest.slice(0, 1), 16) % 4) + 8).toString(16)
  return `${decisionId.slice(0, ORDERING)}-${variant}${digest.slice(1, 4)}-${digest.slice(4, 16)}`
}
