import { canonicalJson } from '@quorate/certificate'
import type { MonitorView } from '../../../src/contract/monitor.ts'
import { decisionsOf, pages } from '../../../src/run/pages.ts'
import { readStoredQuestion } from '../../../src/run/stored-question.ts'
import { readStoredAnswer } from '../../../src/server/deciding/certify-input.ts'
import type { Store, StoredDecision, StoredLabel } from '../../../src/store/store.ts'
import { all } from '../../run/run-world.ts'
import { verified } from '../deciding/verified.ts'
import type { Received } from '../webhooks/receiver.ts'
import { findWebhookLosses } from './find-webhook-losses.ts'
import { type Journal, submissionsOf } from './journal.ts'

export interface Evidence {
  readonly store: Store
  readonly journal: Journal
  readonly received: readonly Received[]
  readonly secret: string
  /** The view of the last process, when everything was decided. */
  readonly monitor: MonitorView
}

/** Answers that clients got and that the store, its ledger, the monitor or the webhooks contradict, in words. */
export async function findLosses(evidence: Evidence): Promise<readonly string[]> {
  const { store, journal, received, secret } = evidence
  const runs = await store.runs.list(100)
  const decisions = (await Promise.all(runs.map(({ id }) => all(decisionsOf(store, id))))).flat()
  const ledgers = await Promise.all(runs.map(({ id }) => ledgerLosses(store, id)))
  return [
    ...journal.complaints,
    ...(await decisionLosses(store, journal)),
    ...countLosses(journal, decisions),
    ...(await certifyLosses(store, journal)),
    ...(await reviewLosses(store, journal)),
    ...ledgers.flat(),
    ...(await monitorLosses(evidence, decisions)),
    ...findWebhookLosses({ received, secret, decisions, submissions: submissionsOf(journal) }),
  ]
}

/** Each is stored under the id of the response, with its question and its decision. */
async function decisionLosses(store: Store, { decisions }: Journal): Promise<readonly string[]> {
  const losses: string[] = []
  for (const [id, { asked, accepted, decided }] of decisions) {
    const { runId, questionId } = accepted
    const row = await store.runs.findQuestion(runId, questionId)
    const question = row === null || row.question === null ? null : readStoredQuestion(row.question)
    if (question?.question !== asked.question) losses.push(`decision ${id}: its question is not stored`)
    const names = question?.options.map(({ name }) => name)
    if (!isSame(names, asked.options)) losses.push(`decision ${id}: its options are not stored`)
    const stored = await store.decisions.findById(id)
    if (stored === null) losses.push(`decision ${id}: it is not stored`)
    else if (decided?.decision == null) losses.push(`decision ${id}: nobody was told`)
    else if (!isSame(verdictOf(stored), verdictOf(decided.decision))) losses.push(`decision ${id}: it is another now`)
  }
  return losses
}

function verdictOf({
  kind,
  reason,
  answer,
  round,
}: Pick<StoredDecision, 'kind' | 'reason' | 'answer' | 'round'> | Reported) {
  return { kind, reason, answer, round }
}

type Reported = { readonly kind: string; readonly reason: unknown; readonly answer: unknown; readonly round: number }

/** There is exactly one decision for each accepted question. */
function countLosses({ decisions, certified }: Journal, stored: readonly StoredDecision[]): readonly string[] {
  const announced = new Set([...decisions.keys(), ...certified.map(({ answer }) => answer.decisionId)])
  const questions = new Set(stored.map(({ runId, questionId }) => `${runId} ${questionId}`))
  const extra = stored.filter(({ id }) => !announced.has(id)).map(({ id }) => `decision ${id}: nobody asked for it`)
  return questions.size === stored.length ? extra : [...extra, 'a question was decided twice']
}

async function certifyLosses(store: Store, { certified }: Journal): Promise<readonly string[]> {
  const losses: string[] = []
  for (const { rounds, answer } of certified) {
    const { claim: _, runId: __, ...announced } = answer
    const runId = (await store.decisions.findById(answer.decisionId))?.runId
    const known = runId === undefined ? [] : await store.decisions.certifiedRounds(runId, answer.id)
    const kept = known.find(({ round }) => round === rounds)
    if (kept === undefined) losses.push(`certify ${answer.id}, round ${rounds}: it is not stored`)
    else if (!isSame(readStoredAnswer(kept).answer, announced))
      losses.push(`certify ${answer.id}: the answer is another now`)
  }
  return losses
}

/** Each review is as it was last answered, and each one that stands has one label. */
async function reviewLosses(store: Store, journal: Journal): Promise<readonly string[]> {
  const losses: string[] = []
  const labels = await allLabels(store)
  const submissions = submissionsOf(journal)
  for (const { reviewId, by, outcome, end } of submissions) {
    const review = await store.reviews.find(reviewId)
    if (review === null) losses.push(`review ${reviewId}: it is gone`)
    if (end === 'undone') continue
    const status = end === 'stands' ? 'submitted' : 'retracted'
    const isKept = review?.by === by && review.outcome === canonicalJson(outcome) && review.status === status
    if (!isKept) losses.push(`review ${reviewId}: it was ${status} by ${by}, and is ${review?.status}`)
    const own = labels.filter((label) => label.reviewId === reviewId)
    const gold = end === 'stands' && outcome.kind === 'option' ? [outcome.option] : []
    if (
      !isSame(
        own.map((label) => label.gold),
        gold,
      )
    )
      losses.push(`review ${reviewId}: it has ${own.length} labels`)
  }
  const standing = submissions.filter(({ end }) => end === 'stands').length
  if (labels.length !== standing) losses.push(`${labels.length} labels count, of ${standing} reviews`)
  return losses
}

function allLabels({ labels }: Store): Promise<readonly StoredLabel[]> {
  return all(
    pages<StoredLabel, string | null>(
      (page) => labels.list(page),
      null,
      ({ id }) => id,
    ),
  )
}

async function ledgerLosses(store: Store, runId: string): Promise<readonly string[]> {
  try {
    const found = await verified(store, runId)
    return found.kind === 'whole' ? [] : [`the ledger of ${runId}: ${JSON.stringify(found)}`]
  } catch (error) {
    return [`the ledger of ${runId} cannot be verified: ${error}`]
  }
}

/** The monitor counted each question once, and each label of a sampled one once. */
async function monitorLosses({ store, monitor }: Evidence, decisions: readonly StoredDecision[]) {
  const sampled = decisions.filter(({ decision }) => JSON.parse(decision).isSpotCheck === true)
  const labels = await Promise.all(sampled.map(({ questionId }) => store.labels.of(questionId)))
  const labelled = labels.filter((own) => own.length > 0).length
  const acted = decisions.filter(({ kind }) => kind === 'act').length
  const counted = { state: 'live', sampled: sampled.length, labelled, decided: decisions.length, acted }
  const { spotChecks, automation, policy } = monitor
  const share = automation.acted
  const announced = {
    state: policy.state,
    sampled: spotChecks.sampled,
    labelled: spotChecks.labelled,
    decided: share?.of,
    acted: share?.count,
  }
  return isSame(announced, counted)
    ? []
    : [`the monitor says ${JSON.stringify(announced)} of ${JSON.stringify(counted)}`]
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
