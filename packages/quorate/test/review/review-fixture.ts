import { onTestFinished } from 'vitest'
import type { DebateView } from '../../src/contract/debates.ts'
import type { NextReview } from '../../src/contract/reviews.ts'
import { createReviewService } from '../../src/review/create-review-service.ts'
import type { ReviewEvent, Reviewer, ReviewOptions, ReviewService } from '../../src/review/review-service.ts'
import { writeQuestion } from '../../src/run/stored-question.ts'
import type { Review, Store } from '../../src/store/store.ts'
import { openedSqlite } from '../store/opened.ts'
import { addReview, saveDecision } from '../store/rows.ts'
import { sampleDebate, sampleDecision, sampleEntry, sampleId, sampleReview, sampleRun } from '../store/samples.ts'

export const START = 1_790_000_000_000
export const CLAIM_MS = 600_000
export const UNDO_MS = 10_000
export const ann: Reviewer = { name: 'ann', kind: 'human', role: 'reviewer' }
export const bob: Reviewer = { name: 'bob', kind: 'human', role: 'reviewer' }
export const chief: Reviewer = { name: 'chief', kind: 'human', role: 'admin' }
export const robot: Reviewer = { name: 'robot', kind: 'machine', role: 'admin' }

/** A review item as a decision creates it. */
export interface Put extends Partial<Pick<Review, 'source' | 'reason' | 'distance' | 'createdAt' | 'list'>> {
  readonly answer?: string | null
}

/** A service over a store in memory. Its clock stands still until a test moves it. */
export async function openReviews(
  items: readonly Put[],
  change: Partial<ReviewOptions> = {},
  fillStore: (store: Store, items: readonly Put[]) => Promise<void> = fill,
) {
  const clock = { now: START }
  const store = openedSqlite(':memory:', { now: () => clock.now })
  onTestFinished(() => store.close())
  await fillStore(store, items)
  const events: ReviewEvent[] = []
  let ids = 0
  const options: ReviewOptions = {
    store,
    now: () => clock.now,
    newId: () => sampleId(9000 + ids++),
    newSalt: () => 'salt',
    claimMs: CLAIM_MS,
    undoMs: UNDO_MS,
    maxClaims: 100,
    evidenceOf: async (runId, questionId) => evidence(runId, questionId),
    messagesOf: (event) => {
      events.push(event)
      const { event: name, reviewId: subject, at: createdAt, notBefore, body } = event
      const id = sampleId(8000 + events.length)
      return [
        { id, event: name, body: JSON.stringify(body), target: 'https://hook.test', createdAt, notBefore, subject },
      ]
    },
    ...change,
  }
  return { service: createReviewService(options), options, store, clock, events }
}

export function itemId(number: number): string {
  return sampleReview(number).id
}

/** `isItem` selects those that get a review item. */
export async function fill(
  store: Store,
  items: readonly Put[],
  isItem: (item: Put) => boolean = () => true,
): Promise<void> {
  const options = [
    { name: 'A', text: 'the first' },
    { name: 'B', text: 'B' },
  ]
  const questions = items.map((item, position) => ({
    position,
    questionId: `q${position}`,
    question: writeQuestion({ id: `q${position}`, question: `what of ${position}?`, options, gold: null, group: 'g' }),
    isSpotCheck: item.source === 'spot-check',
  }))
  await store.runs.create(sampleRun({ kind: 'decide' }), questions)
  for (const [number, { answer = null, ...item }] of items.entries()) {
    const questionId = `q${number}`
    const id = itemId(number)
    const kind = answer === null ? 'defer' : 'act'
    const decision = sampleDecision(number, questionId, { id, kind, answer, reason: item.reason ?? null })
    await saveDecision(store, decision, sampleDebate(questionId), sampleEntry({ texts: [] }))
    if (isItem({ ...item, answer })) await addReview(store, sampleReview(number, { questionId, reason: null, ...item }))
  }
}

/** Contains everything that a blind item must not reveal. */
function evidence(runId: string, questionId: string): DebateView {
  const about = {
    excerpt: null,
    group: null,
    at: 1,
    rounds: 1,
    status: 'done',
    isSpotCheck: true,
    votes: null,
    gold: null,
    isLabelled: false,
    isWaiting: true,
    isHidden: false,
  } as const
  const decided = {
    kind: 'act',
    answer: 'A',
    reason: null,
    bound: 0.97,
    boundRound: 1,
    threshold: 0.95,
    score: 0.97,
    needs: 0.95,
    scoreRound: 1,
  } as const
  const empty = {
    question: null,
    options: [],
    turns: [],
    verdict: null,
    label: null,
    certificate: null,
    claim: [],
    ledger: null,
  }
  return { runId, questionId, ...about, ...decided, ...empty, compared: { kind: 'none' } }
}

/** The result of `next`, which must not be refused. */
export async function nextOf(service: Pick<ReviewService, 'next'>, who: Reviewer): Promise<NextReview> {
  const answer = await service.next(who)
  if (answer.kind !== 'done') throw new Error(`nothing is handed out: ${answer.kind}`)
  return answer.value
}
