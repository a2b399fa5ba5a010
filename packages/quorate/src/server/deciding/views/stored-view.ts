import type { DecisionView } from '../../../contract/decisions.ts'
import { debateSchema } from '../../../record/debate.ts'
import { findStored } from '../../../record/parse-stored.ts'
import type { StoredDebate, StoredReview } from '../../../store/store.ts'
import { timeOf } from '../pending-question.ts'
import type { ServiceContext } from '../service-context.ts'
import { agentsOf, failureOf, withDetail } from './deferral-detail.ts'
import { type ReadRecord, readRecord, recordFigures, withAnswerText } from './verdict-figures.ts'

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
  const certificate = (await certificates.open(certificateId))?.certified.certificate
  const view: DecisionView = {
    id,
    runId,
    questionId,
    status: 'decided',
    createdAt: timeOf(id),
    // Without rounds after the decision, which only spot checks have.
    rounds: record.debate.rounds.length,
    decision: withDetail(withAnswerText(recordFigures(record, certificate?.threshold ?? 1), roundsIn(debate)), {
      fingerprint: certificate?.fingerprint ?? null,
      agents: agentsOf(record.debate.rounds),
      mismatch: record.mismatch ?? [],
      failure: failureOf(debate),
    }),
    certificate: certificateId,
    reviewId: namedReview(record, await reviews.latestOf(runId, questionId), tools.now()),
    isHidden: false,
  }
  return { record, view }
}

/** Empty if there is no debate, or if it cannot be read. */
function roundsIn(debate: StoredDebate | null) {
  return findStored(roundsSchema, debate?.debate ?? null)?.rounds ?? []
}

const roundsSchema = debateSchema.pick({ rounds: true })

/** An action has a review item only if it is a spot check, so the item is not named before its review is final. */
function namedReview({ kind }: ReadRecord, review: StoredReview | null, now: number): string | null {
  if (review === null) return null
  const isFinal = review.status === 'submitted' && (review.undoUntil === null || now >= review.undoUntil)
  return kind === 'act' && !isFinal ? null : review.id
}
