import type { DebateSoFar } from '../debate/debate-record.ts'
import type { DecisionRecord } from '../record/decision.ts'
import type { OutboxMessage } from '../store/outbox.ts'
import type { Settlement } from '../store/settlement.ts'
import type { StoredDebate } from '../store/store.ts'
import type { Announce } from './announce.ts'
import { decisionEntry, reviewOf, storedDecision } from './decision-record.ts'

export interface Decided {
  readonly record: DecisionRecord
  readonly debate: DebateSoFar
  readonly stored: StoredDebate
}

/** All that one commit is to hold: the decision, its debate, its ledger entry, its review item and its messages. */
export function settlementOf(
  { newSalt, announce }: { readonly newSalt: () => string; readonly announce: Announce },
  { record, debate, stored }: Decided,
): Settlement & { readonly messages: readonly OutboxMessage[] } {
  const { id, runId, questionId, kind, answer, reason, round, bound, at, isShadow } = record
  const review = reviewOf(record, newSalt())
  const about = { decisionId: id, runId, questionId, certificate: record.certificateId }
  // Of an action the item is not named: that there is one says that it is a spot check.
  const body = { ...about, kind, answer, reason, round, bound, reviewId: kind === 'act' ? null : (review?.id ?? null) }
  const event = kind === 'act' ? 'decision.acted' : 'decision.deferred'
  return {
    decision: storedDecision(record),
    debate: stored,
    entry: decisionEntry(record, debate, newSalt()),
    review,
    messages: isShadow ? [] : announce({ event, subject: id, at, notBefore: at, body }),
  }
}
