import type { DebateSoFar } from '../debate/debate-record.ts'
import type { ActingBar, DecisionRecord } from '../record/decision.ts'
import { StoreError } from '../record/store-error.ts'
import { storableText } from '../store/checked-input.ts'
import type { Settlement } from '../store/decisions/settlement.ts'
import type { OutboxMessage } from '../store/outbox.ts'
import type { RunQuestion, StoredDebate } from '../store/store.ts'
import { plainText } from '../text/plain-text.ts'
import type { DebatedQuestion, PausedDebate, Verdict } from './debate-question.ts'
import { isSeen } from './deciding.ts'
import { decisionEntry, decisionRecord, reviewIdOf, reviewOf, samplingOf, storedDecision } from './decision-record.ts'
import type { Warning } from './early-warning.ts'
import type { QuestionContext } from './run-context.ts'
import { readIntake } from './stored-question.ts'
import { barOf, suspensionNotice, unlessBarred } from './suspension.ts'
import type { MessagesOf } from './webhook-messages.ts'

/** The differences between a question of a command and one of a server. */
export type DecisionTerms =
  /** A question of a command. Its operator named the certificate, and may ask a question again that failed. */
  | { readonly kind: 'command' }
  | {
      readonly kind: 'served'
      /** The id that the server gave to its caller. */
      readonly decisionId: string
      readonly messagesOf: MessagesOf
      /** Whether questions that the certificate was calibrated on are accepted. */
      readonly allowSeen: boolean
      /** What forbids acting now; null: nothing. Called before a debate and before an action. May throw `Interrupted`. */
      readonly bar: () => ActingBar | null | Promise<ActingBar | null>
    }

/** Thrown while a question is in progress and the process shuts down. The question stays pending for the next process. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'

  constructor() {
    super('the process is to end')
  }
}

export interface SettledQuestion {
  readonly kind: 'settled'
  readonly status: DebatedQuestion['status'] | 'error'
  readonly verdict: Verdict | null
  /** Null if nothing was decided. */
  readonly decision: SettledDecision | null
}

export interface SettledDecision extends Pick<DebatedQuestion, 'debate' | 'failure'> {
  readonly record: DecisionRecord
  readonly verdict: Verdict
  /** How many messages were added to the outbox. */
  readonly messages: number
}

export interface ToSettle {
  readonly row: RunQuestion
  readonly debated: DebatedQuestion
  readonly terms: DecisionTerms
}

/**
 * Writes the result of a question in one commit: its debate and, if it is decided, the decision, its ledger entry, its review
 * item and its messages. Returns what was written: an action under a suspended policy is written as a deferral.
 */
export async function settle(run: QuestionContext, { row, debated, terms }: ToSettle): Promise<SettledQuestion> {
  const { store, now } = run.tools
  const { debate, failure, status } = debated
  const stored: StoredDebate = {
    runId: row.runId,
    questionId: debate.id,
    status,
    at: now(),
    debate: JSON.stringify(failure === null ? debate : { ...debate, failure }),
    rounds: debate.rounds.length,
  }
  if (debated.verdict === null) {
    await store.debates.save(stored, run.opened.fence)
    return { kind: 'settled', status, verdict: null, decision: null }
  }
  const bar = debated.verdict.kind === 'act' && terms.kind === 'served' ? await terms.bar() : null
  const verdict = unlessBarred(debated.verdict, bar)
  const decision = await settleDecision(run, { row, debated, terms, stored, verdict })
  return { kind: 'settled', status, verdict: decision.verdict, decision }
}

interface DecisionToSettle extends ToSettle {
  readonly stored: StoredDebate
  readonly verdict: Verdict
}

async function settleDecision(run: QuestionContext, to: DecisionToSettle): Promise<SettledDecision> {
  const { row, debated, terms, stored, verdict } = to
  const { deciding, tools, opened, calls } = run
  if (deciding === null) throw new Error('settle: there is no certificate to decide with')
  const { store, newId, newSalt } = tools
  const { debate, failure, decidedOn, findings } = debated
  const { runId, isSpotCheck } = row
  const isCommand = terms.kind === 'command'
  const earlier = isCommand && opened.isResumed ? await store.decisions.find(runId, debate.id) : null
  // The question failed before and is decided now, so the review of the failure is retracted.
  const retracts = earlier === null ? null : reviewIdOf(earlier.id)
  const record = decisionRecord(verdict, debate, {
    id: isCommand ? newId() : terms.decisionId,
    runId,
    certificateId: deciding.certified.id,
    at: stored.at,
    isSpotCheck,
    sampling: samplingOf(row),
    isShadow: opened.run.isShadow,
    isSeen: isCommand ? deciding.seen.has(debate.id) : terms.allowSeen && isSeen(deciding.certified, row),
    ...findings,
    mismatch: [...deciding.mismatch, ...findings.mismatch],
    caller: isCommand ? null : (readIntake(row.question)?.caller ?? null),
    rounds: decidedOn,
  })
  const messagesOf = isCommand ? noMessages : terms.messagesOf
  const settlement = settlementOf({ newSalt, messagesOf }, { record, debate, stored })
  const settled = await store.decisions
    .settle({ ...settlement, retracts, fence: opened.fence, isOperatorsChoice: isCommand })
    .catch((error: unknown) => {
      throw takenOver(error, record)
    })
  if (settled.kind === 'suspended') {
    calls.notices.add(suspensionNotice(settled.suspension))
    return settleDecision(run, { ...to, verdict: unlessBarred(verdict, barOf(settled.suspension)) })
  }
  return { record, verdict, debate, failure, messages: settlement.messages.length }
}

const noMessages: MessagesOf = () => []

/**
 * Turns a paused debate into a result, because a server owes its caller an answer even if the spend cap is reached or the panel
 * cannot answer. A verdict that was reached stays. Otherwise the question goes to a person. The warning is stored with the
 * decision, for the person who must fix the cause.
 */
export function deferredAsOwed(
  { debate, verdict, path, decidedOn, findings, reason }: PausedDebate,
  warning: Warning | null,
): DebatedQuestion {
  const isSpent = reason === 'spend-cap'
  const found: Verdict = verdict ?? { kind: 'defer', reason: isSpent ? 'spend-cap' : 'agent-failure', path }
  const failure = isSpent
    ? null
    : { agent: null, round: debate.rounds.length + 1, reason: storableText(warning?.words ?? reason) }
  const status = isSpent || verdict !== null ? 'done' : 'agent-failure'
  return { kind: 'debated', debate, status, failure, verdict: found, decidedOn, findings }
}

interface DecidedQuestion {
  readonly record: DecisionRecord
  readonly debate: DebateSoFar
  readonly stored: StoredDebate
}

/** Everything that one commit writes: the decision, its debate, its ledger entry, its review item and its messages. */
export function settlementOf(
  { newSalt, messagesOf }: { readonly newSalt: () => string; readonly messagesOf: MessagesOf },
  { record, debate, stored }: DecidedQuestion,
): Settlement & { readonly messages: readonly OutboxMessage[] } {
  const { id, runId, questionId, kind, answer, reason, round, bound, at, isShadow } = record
  const review = reviewOf(record, newSalt())
  const about = { decisionId: id, runId, questionId, certificate: record.certificateId }
  // The review item of an action is not named, because its existence would reveal a spot check.
  const body = { ...about, kind, answer, reason, round, bound, reviewId: kind === 'act' ? null : (review?.id ?? null) }
  const event = kind === 'act' ? 'decision.acted' : 'decision.deferred'
  return {
    decision: storedDecision(record),
    debate: stored,
    entry: decisionEntry(record, debate, newSalt()),
    review,
    messages: isShadow ? [] : messagesOf({ event, subject: id, at, notBefore: at, body }),
  }
}

function takenOver(error: unknown, { runId, questionId }: DecisionRecord): unknown {
  if (!(error instanceof StoreError && error.kind === 'exists')) return error
  const words = `run ${runId} is being worked on by another process, which decided ${plainText(questionId)}`
  return new StoreError('exists', `${words}. This one stops`, { cause: error })
}
