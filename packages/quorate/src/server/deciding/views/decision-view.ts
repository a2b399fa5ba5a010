import type { Certificate } from '@quorate/certificate'
import type { DecisionView } from '../../../contract/decisions.ts'
import { debateRoundsSchema, type Failure } from '../../../record/debate.ts'
import type { DecisionRecord } from '../../../record/decision.ts'
import { findStored } from '../../../record/parse-stored.ts'
import type { StoredDebate, StoredReview } from '../../../store/store.ts'
import { type PendingQuestion, timeOf } from '../pending-question.ts'
import type { ServiceContext } from '../service-context.ts'
import { agentsOf, failureOf, withDetail } from './deferral-detail.ts'
import { type ReadRecord, readRecord, recordFigures, withAnswerText } from './verdict-figures.ts'

/** An accepted question in the form of the contract. */
export function pendingView({ id, row, served, status, rounds, decided }: PendingQuestion): DecisionView {
  if (decided !== null) return decided
  const { runId, questionId } = row
  const asked = askedFields({ id, runId, questionId, certificateId: served.deciding.certified.id })
  return { ...asked, status, rounds, decision: null, reviewId: null, isHidden: false }
}

/** What is known about a decision besides its record. */
interface DecisionFacts {
  /** Null: it is not in the store. */
  readonly certificate: Pick<Certificate, 'threshold' | 'fingerprint'> | null
  /** The rounds of the debate with their texts; empty if they cannot be read. */
  readonly rounds: Parameters<typeof withAnswerText>[1]
  readonly failure: Failure | null
  /** Null: there is no review item, or it must not be named. */
  readonly reviewId: string | null
}

/** A decision in the form of the contract. */
export function decidedView(
  record: DecisionRecord,
  { certificate, rounds, failure, reviewId }: DecisionFacts,
): DecisionView {
  const figures = withAnswerText(recordFigures(record, certificate?.threshold ?? 1), rounds)
  return {
    ...askedFields(record),
    status: 'decided',
    // Without rounds after the decision, which only spot checks have.
    rounds: record.debate.rounds.length,
    decision: withDetail(figures, {
      fingerprint: certificate?.fingerprint ?? null,
      agents: agentsOf(record.debate.rounds),
      mismatch: record.mismatch,
      failure,
    }),
    reviewId,
    isHidden: false,
  }
}

/** The fields that every view has, whatever was found. */
function askedFields({
  id,
  runId,
  questionId,
  certificateId,
}: Pick<DecisionRecord, 'id' | 'runId' | 'questionId' | 'certificateId'>) {
  return { id, runId, questionId, createdAt: timeOf(id), certificate: certificateId }
}

export interface StoredView {
  readonly record: ReadRecord
  readonly view: DecisionView
}

/** A stored decision in the form of the contract; null: there is none with this id. */
export async function storedView({ tools, certificates }: ServiceContext, id: string): Promise<StoredView | null> {
  const { decisions, debates, reviews } = tools.store
  const stored = await decisions.findById(id)
  if (stored === null) return null
  const { runId, questionId, certificateId } = stored
  const record = readRecord(stored)
  const debate = await debates.find(runId, questionId)
  const view = decidedView(record, {
    certificate: (await certificates.open(certificateId))?.certified.certificate ?? null,
    rounds: roundsIn(debate),
    failure: failureOf(debate),
    reviewId: namedReview(record, await reviews.latestOf(runId, questionId), tools.now()),
  })
  return { record, view }
}

/** Empty if there is no debate, or if it cannot be read. */
function roundsIn(debate: StoredDebate | null) {
  return findStored(debateRoundsSchema, debate?.debate ?? null)?.rounds ?? []
}

/** An action has a review item only if it is a spot check, so the item is not named before its review is final. */
function namedReview({ kind }: ReadRecord, review: StoredReview | null, now: number): string | null {
  if (review === null) return null
  const isFinal = review.status === 'submitted' && (review.undoUntil === null || now >= review.undoUntil)
  return kind === 'act' && !isFinal ? null : review.id
}
