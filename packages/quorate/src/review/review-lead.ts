import type { AssignReviews, ChangedReviews, RequestedReviews } from '../contract/reviews.ts'
import type { QuestionKey } from '../record/question.ts'
import type { BulkOutcome, ReviewRequest } from '../store/reviews/reviews.ts'
import type { Store } from '../store/store.ts'
import { assignmentEntry, releaseEntry, requestEntry } from './review-entries.ts'
import type { Reviewer, ReviewOptions, ReviewService } from './review-service.ts'

/** The bulk operations of a review lead. There is none for labels: each label is evidence, so a person gives each one. */
export function createReviewLead(options: ReviewOptions): Pick<ReviewService, 'assign' | 'releaseItems' | 'request'> {
  const { store, now } = options
  const { reviews } = store
  return {
    async assign(asked, who) {
      const { assignedTo, dueAt } = asked
      const at = now()
      if (typeof assignedTo === 'string') {
        const people = await reviewersOf(store, { who, at })
        if (!people.includes(assignedTo)) return { kind: 'unknown-person', people }
      }
      const { ids, missing } = await wantedItems(store, asked)
      const outcomes = await reviews.assign({
        ids,
        ...(assignedTo === undefined ? {} : { assignedTo }),
        ...(dueAt === undefined ? {} : { dueAt }),
        entryOf: (review) => assignmentEntry(review, { by: who.name, at }),
      })
      return { kind: 'done', value: counted(outcomes, missing) }
    },
    async releaseItems(ids, { name: by }) {
      const at = now()
      const entryOf = (review: Parameters<typeof releaseEntry>[0], reviewer: string) =>
        releaseEntry(review, { reviewer, by, at })
      return counted(await reviews.releaseItems({ ids, now: at, entryOf }), 0)
    },
    request: (debates, who) => request(options, debates, who),
  }
}

/** The requested items, and the number of debates without a waiting item. */
async function wantedItems({ reviews }: Store, { ids, debates = [] }: AssignReviews) {
  if (ids !== undefined) return { ids, missing: 0 }
  const latest = await Promise.all(debates.map(({ runId, questionId }) => reviews.latestOf(runId, questionId)))
  const waiting = latest.flatMap((review) => (review?.status === 'waiting' ? [review.id] : []))
  return { ids: waiting, missing: debates.length - waiting.length }
}

function counted(outcomes: ReadonlyMap<string, BulkOutcome>, missing: number): ChangedReviews {
  const counts = { changed: 0, unchanged: 0, closed: 0, missing }
  for (const outcome of outcomes.values()) counts[outcome] += 1
  return counts
}

const TOKENS_PER_PAGE = 1000

/** Everybody who may review now, including the caller if that is a person, even one on this computer without a token. */
async function reviewersOf(
  { tokens }: Store,
  { who, at }: { readonly who: Reviewer; readonly at: number },
): Promise<readonly string[]> {
  const names = new Set(who.kind === 'human' ? [who.name] : [])
  let after: string | null = null
  for (;;) {
    const page: Awaited<ReturnType<Store['tokens']['list']>> = await tokens.list({ after, limit: TOKENS_PER_PAGE })
    for (const { name, kind, role, revokedAt, expiresAt } of page) {
      const isGood = revokedAt === null && (expiresAt === null || expiresAt > at)
      if (isGood && kind === 'human' && role !== 'viewer') names.add(name)
    }
    if (page.length < TOKENS_PER_PAGE) return [...names].toSorted()
    after = page.at(-1)?.id ?? null
  }
}

/** The items join the open list: everybody could see the panel's decision, so a blind review is impossible. */
async function request(
  { store, now, newId }: ReviewOptions,
  debates: readonly QuestionKey[],
  { name: by }: Reviewer,
): Promise<RequestedReviews> {
  const at = now()
  const requests: ReviewRequest[] = []
  let undecided = 0
  const places = new Map(debates.map((place) => [JSON.stringify([place.runId, place.questionId]), place]))
  for (const { runId, questionId } of places.values()) {
    if ((await store.decisions.find(runId, questionId)) === null) {
      undecided += 1
      continue
    }
    const id = newId()
    const review = {
      id,
      runId,
      questionId,
      createdAt: at,
      source: 'request',
      status: 'waiting',
      reason: null,
      claimedBy: null,
      claimedUntil: null,
      outcome: null,
    } as const
    requests.push({ review, entry: requestEntry(review, { by, at }) })
  }
  const added = await store.reviews.request(requests)
  return { added, known: requests.length - added, undecided }
}
