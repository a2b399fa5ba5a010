import { StoreError } from '../record/store-error.ts'
import type { RunQuestion, StoredDebate } from '../store/store.ts'
import { plainText } from '../text/plain-text.ts'
import { decisionEntry, decisionRecord, reviewOf, samplingOf, storedDecision } from './decision-record.ts'
import type { Held } from './hold-question.ts'
import { heldBack, holdNotice } from './policy-hold.ts'
import { findReviewOf } from './review-id.ts'
import type { Job } from './run-job.ts'

export type Settled = Extract<Held, { kind: 'held' }>

/** What is known of a question since its coin was tossed. */
export type Sampled = Pick<RunQuestion, 'isDrawn' | 'samplingKey' | 'samplingRate'>

/**
 * Writes down what came of a question: its debate, and in one commit with it the decision, its ledger entry and its review.
 * Returns what was written: an action that meets a hold is written as a deferral.
 */
export async function settleQuestion(job: Job, held: Settled, row: Sampled): Promise<Settled> {
  const { store, now } = job.tools
  const runId = job.opened.run.id
  const { debate, failure, status } = held
  const record = failure === null ? debate : { ...debate, failure }
  const stored: StoredDebate = {
    ...{ runId, questionId: debate.id, status, at: now() },
    debate: JSON.stringify(record),
    rounds: debate.rounds.length,
  }
  if (held.verdict === null) {
    await store.debates.save(stored, job.opened.fence)
    return held
  }
  return settleDecision(job, { held, stored, row })
}

interface Settlement {
  readonly held: Settled
  readonly stored: StoredDebate
  readonly row: Sampled
}

async function settleDecision(job: Job, { held, stored, row }: Settlement): Promise<Settled> {
  const { deciding, tools, opened } = job
  const { verdict, debate } = held
  if (verdict === null || deciding === null) throw new Error('settleDecision: there is nothing to decide')
  const { store, newId, newSalt } = tools
  const before = opened.isResumed ? await store.decisions.find(opened.run.id, debate.id) : null
  const record = decisionRecord(verdict, debate, {
    id: newId(),
    runId: opened.run.id,
    certificateId: deciding.certified.id,
    at: stored.at,
    isDrawn: row.isDrawn,
    sampling: samplingOf(row),
    isShadow: opened.run.isShadow,
    isSeen: deciding.seen.has(debate.id),
    mismatch: [...deciding.mismatch, ...held.mismatch],
    rounds: held.decidedOn,
  })
  try {
    const settled = await store.decisions.settle({
      decision: storedDecision(record),
      debate: stored,
      entry: decisionEntry(record, debate, newSalt()),
      review: reviewOf(record, newSalt()),
      fence: opened.fence,
      isOperatorsChoice: true,
    })
    if (settled.kind === 'held') {
      job.desk.notices.tell(holdNotice(settled.hold))
      return settleDecision(job, { held: { ...held, verdict: heldBack(verdict, true) }, stored, row })
    }
  } catch (error) {
    if (!(error instanceof StoreError && error.kind === 'exists')) throw error
    const words = `run ${opened.run.id} is being worked on by another process, which decided ${plainText(debate.id)}`
    throw new StoreError('exists', `${words}; this one ends`, { cause: error })
  }
  if (before !== null) await retractReview(job, before.id)
  return held
}

/** What failed before and is decided now need not be reviewed for the failure. */
async function retractReview({ tools: { store } }: Job, decisionId: string): Promise<void> {
  const review = await findReviewOf(store, decisionId)
  if (review?.status === 'waiting') await store.reviews.update(review.id, review, { status: 'retracted' })
}
