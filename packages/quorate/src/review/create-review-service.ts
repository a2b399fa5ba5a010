import { canonicalJson } from '@quorate/certificate'
import type { Equivalence } from '../answers/equivalence.ts'
import type { ReviewItem, ReviewOutcome } from '../contract/reviews.ts'
import { storableText } from '../store/checked-input.ts'
import { isAssignedToOther, isUsedUp } from '../store/reviews/review-claims.ts'
import type { Claim, ReviewList } from '../store/reviews/reviews.ts'
import type { Millis, Store, StoredReview } from '../store/store.ts'
import { agreementOf } from './agreement.ts'
import { isReadTwice, resolveReadings } from './joint-reading.ts'
import { comparedOutcome, namedOutcome, rulesOfRuns } from './open-answer-review.ts'
import { createProgressCounter } from './queue-progress.ts'
import {
  labelOf,
  releaseEntry,
  reviewEntry,
  reviewEvent,
  type SubmittedOutcome,
  undoneEntries,
} from './review-entries.ts'
import { createReviewLead } from './review-lead.ts'
import type { Refusal, Reviewer, ReviewOptions, ReviewService } from './review-service.ts'
import { isHidden, readOutcome, reviewItem, reviewRow } from './review-view.ts'
import { askedQuestion, type ReviewedQuestion } from './reviewed-question.ts'

/** A claim can be extended, but after this many times the usual time the item returns to the queue. */
const MAX_CLAIM_LENGTHS = 6

/**
 * Every second claim takes an item of the blind list while one waits there. The turn reveals nothing, because that list
 * contains both spot checks and deferrals.
 */
function slot(number: number): ReviewList {
  return number % 2 === 0 ? 'blind' : 'open'
}

/** The options with what the functions below share. */
interface Reviewing extends ReviewOptions {
  readonly rulesOf: (runId: string) => Promise<Equivalence | null>
}

export function createReviewService(given: ReviewOptions): ReviewService {
  const options: Reviewing = { ...given, rulesOf: rulesOfRuns(given.store) }
  const { store, now, claimMs, maxClaims } = options
  const { reviews } = store
  const counter = createProgressCounter(store, now)
  const claimOf = ({ name: reviewer }: Reviewer) => {
    return { reviewer, now: now(), claimMs, maxClaims, maxTotalMs: MAX_CLAIM_LENGTHS * claimMs }
  }

  async function tooMany(by: Claim): Promise<Refusal | null> {
    const claimed = (await reviews.claimsOf(by)).map(({ id }) => id)
    return claimed.length < maxClaims ? null : { kind: 'too-many-claims', claimed, most: maxClaims }
  }

  /** Why the store refused a claim. */
  async function refusalOf(review: StoredReview | null, by: Claim & { readonly maxTotalMs: number }): Promise<Refusal> {
    if (review === null) return { kind: 'not-found' }
    const refusal = refusalByState(review, by.now, by.reviewer)
    if (refusal !== null) return refusal
    const { assignedTo, dueAt } = review
    if (assignedTo !== null && isAssignedToOther(review, by)) return { kind: 'assigned-to-other', assignedTo, dueAt }
    const again = (review.lastClaimedAt ?? 0) + by.maxTotalMs + claimMs
    if (isUsedUp(review, by)) return { kind: 'claim-used-up', again }
    return (await tooMany(by)) ?? { kind: 'knows-panel' }
  }

  const progress = ({ name }: Reviewer) => counter.of(name)

  async function putBack(id: string, who: Reviewer, skip: boolean) {
    const { kind, review } = await reviews.release(id, { reviewer: who.name, now: now(), skip })
    if (kind === 'refused') return submitRefusal(review, now())
    return { kind: 'done', value: await itemOf(options, review, who) } as const
  }

  return {
    progress,
    next: async (who) => {
      if (who.kind === 'machine') return { kind: 'machine' }
      const by = claimOf(who)
      const review = await reviews.claimNext({ ...by, slot })
      const refusal = review === null ? await tooMany(by) : null
      if (refusal !== null) return refusal
      const item = review === null ? null : await itemOf(options, review, who)
      return { kind: 'done', value: { item, progress: await progress(who) } }
    },
    claim: async (id, who) => {
      if (who.kind === 'machine') return { kind: 'machine' }
      const by = claimOf(who)
      const { kind, review } = await reviews.claim(id, by)
      if (kind === 'refused') return refusalOf(review, by)
      return { kind: 'done', value: await itemOf(options, review, who) }
    },
    submit: async (id, who, submitted) => {
      const result = await submit(options, id, who, submitted)
      if (result.kind !== 'submitted') return result
      const { item, undoUntil } = result
      if (result.isNew) counter.submitted(1)
      return { kind: 'done', value: { item, undoUntil, progress: await progress(who) } }
    },
    skip: (id, who) => putBack(id, who, true),
    release: (id, who) => putBack(id, who, false),
    releaseClaims: async (reviewer, { name: by }) => {
      const at = now()
      const entryOf = (review: StoredReview) => releaseEntry(review, { reviewer, by, at })
      const released = await reviews.releaseClaims({ reviewer, now: at, entryOf })
      return { reviewer, released: released.map(({ id }) => id) }
    },
    ...createReviewLead(options),
    undo: async (id, who) => {
      const answer = await undo(options, id, who)
      if (answer.kind === 'done') counter.submitted(-1)
      return answer
    },
    find: async (id, who) => {
      const review = await reviews.find(id)
      return review === null ? null : await itemOf(options, review, who)
    },
    list: (page) => list(options, page),
    agreement: (hidden) =>
      agreementOf(store, { now: now(), undoMs: given.undoMs, ...(hidden === undefined ? {} : { hidden }) }),
  }
}

async function itemOf(options: Reviewing, review: StoredReview, who: { readonly name: string }): Promise<ReviewItem> {
  const { store, now, evidenceOf, labelOrder = [] } = options
  const asked = inTaskOrder(await askedQuestion(store, review), labelOrder)
  const rules = asked.classes === null ? null : await options.rulesOf(review.runId)
  const at = now()
  const [isPanelHidden = true] = await arePanelsHidden(store, [review], { now: at, reviewer: who.name })
  const evidence = isPanelHidden ? null : await evidenceOf(review.runId, review.questionId)
  const shown = evidence?.isHidden === true ? null : evidence
  return reviewItem(review, { asked, rules, evidence: shown, isPanelHidden, isOwn: review.by === who.name, now: at })
}

/**
 * For each item, whether it or another item about its question hides the panel's answer. Another item exists if a second person
 * is to answer the question too, or if a review was retracted and the question waits again. A reviewer who has claimed an item
 * sees it as they claimed it. A null `reviewer` means nobody in particular.
 */
async function arePanelsHidden(
  { reviews }: Store,
  items: readonly StoredReview[],
  { now, reviewer }: { readonly now: Millis; readonly reviewer: string | null },
): Promise<readonly boolean[]> {
  const hidden = new Map<string, ReadonlySet<string>>()
  for (const runId of new Set(items.map((item) => item.runId))) {
    const questionIds = items.filter((item) => item.runId === runId).map(({ questionId }) => questionId)
    hidden.set(runId, await reviews.hidden({ runId, questionIds, now }))
  }
  return items.map((item) => {
    if (isHidden(item, now)) return true
    const isTheirs = item.status === 'waiting' && reviewer !== null && item.claimedBy === reviewer
    return !isTheirs && hidden.get(item.runId)?.has(item.questionId) !== false
  })
}

/** Models see the labels in an order that depends on the question. People always find them at the same place. */
function inTaskOrder(asked: ReviewedQuestion, labelOrder: readonly string[]): ReviewedQuestion {
  const place = ({ name }: { readonly name: string }) => labelOrder.indexOf(name)
  if (asked.options.some((option) => place(option) < 0)) return asked
  return { ...asked, options: asked.options.toSorted((left, right) => place(left) - place(right)) }
}

async function submit(
  options: Reviewing,
  id: string,
  who: Reviewer,
  submitted: { readonly outcome: ReviewOutcome; readonly note?: string | undefined },
) {
  if (who.kind === 'machine') return { kind: 'machine' } as const
  const { store, now, newId, newSalt, undoMs, messagesOf } = options
  const review = await store.reviews.find(id)
  if (review === null) return { kind: 'not-found' } as const
  const read = await readOutcomeOf(options, review, submitted.outcome)
  if (read.kind !== 'read') return read
  const { outcome, decided } = read
  const isTwice = await isReadTwice(store, review, options.secondShare ?? 0)
  const resolve = (reviews: readonly StoredReview[]) => resolveReadings(reviews, { decided, isReadTwice: isTwice })
  const at = now()
  const undoUntil = at + undoMs
  const note = storableText(submitted.note ?? '') || null
  const submission: SubmittedOutcome = { outcome, note, by: who.name, at }
  const result = await store.reviews.submit({
    id,
    reviewer: who.name,
    outcome: canonicalJson(outcome),
    note,
    at,
    undoUntil,
    label: labelOf(review, submission, { id: newId(), decided }),
    entry: reviewEntry(review, submission, newSalt()),
    messages: messagesOf(reviewEvent(review, submission, { event: 'review.submitted', at, notBefore: undoUntil })),
    // Needed for a first reading too: if it was retracted, others may have read the item since, whatever the share is now.
    joint: { resolve, nextId: newId() },
  })
  if (result.kind === 'refused') return submitRefusal(result.review, at)
  const item = await itemOf(options, result.review, who)
  return {
    kind: 'submitted',
    item,
    undoUntil: result.review.undoUntil ?? undoUntil,
    isNew: result.kind === 'submitted',
  } as const
}

type Read = { readonly kind: 'read'; readonly outcome: ReviewOutcome; readonly decided: string | null }

/** The outcome with the names that the store uses, or why it is refused. */
async function readOutcomeOf(
  options: Reviewing,
  review: StoredReview,
  outcome: ReviewOutcome,
): Promise<Read | Refusal> {
  const { store, rulesOf } = options
  const asked = await askedQuestion(store, review)
  const { classes } = asked
  if (classes === null) {
    const names = asked.options.map(({ name }) => name)
    if (outcome.kind === 'answer' || outcome.kind === 'grades') return { kind: 'wrong-outcome', expected: 'option' }
    const isUnknown = outcome.kind === 'option' && !names.includes(outcome.option)
    return isUnknown ? { kind: 'unknown-option', options: names } : { kind: 'read', outcome, decided: null }
  }
  const rules = await rulesOf(review.runId)
  const named = namedOutcome({ review, classes, rules }, outcome)
  if (named.kind !== 'named') return named
  const compared = await comparedOutcome(named.outcome, { classes, rules })
  return { kind: 'read', outcome: compared, decided: await decidedAnswer(options, review) }
}

/** The class of the answer that was acted on; null: it was deferred. */
async function decidedAnswer({ store }: Reviewing, { runId, questionId }: StoredReview): Promise<string | null> {
  return (await store.decisions.find(runId, questionId))?.answer ?? null
}

async function undo(options: Reviewing, id: string, who: Reviewer): ReturnType<ReviewService['undo']> {
  if (who.kind === 'machine') return { kind: 'machine' }
  const { store, now, newId, newSalt, claimMs, messagesOf } = options
  const review = await store.reviews.find(id)
  if (review === null) return { kind: 'not-found' }
  const { outcome, note, by, submittedAt } = review
  if (outcome === null || by === null || submittedAt === null) return { kind: 'not-submitted' }
  const at = now()
  const submission: SubmittedOutcome = { outcome: readOutcome(outcome), note, by, at: submittedAt }
  const replacementId = newId()
  const decided = await decidedAnswer(options, review)
  const result = await store.reviews.undo({
    id,
    reviewer: who.role === 'admin' ? null : who.name,
    submittedAt,
    now: at,
    claimMs,
    replacementId,
    resolve: (reviews) => resolveReadings(reviews, { decided, isReadTwice: false }),
    by: who.name,
    ...undoneEntries(review, submission, { by: who.name, at, replacementId, salt: newSalt() }),
    retraction: messagesOf(reviewEvent(review, submission, { event: 'review.retracted', at, notBefore: at })),
  })
  if (result.kind === 'refused') return undoRefusal(result.review)
  return { kind: 'done', value: { kind: result.kind, item: await itemOf(options, result.review, who) } }
}

async function list(
  { store, now }: ReviewOptions,
  { cursor, limit, status, assignedTo }: Parameters<ReviewService['list']>[0],
): ReturnType<ReviewService['list']> {
  const filter = {
    ...(status === undefined ? {} : { status }),
    ...(assignedTo === undefined ? {} : { assignedTo }),
  }
  const found = await store.reviews.list({ after: cursor, limit: limit + 1, ...filter })
  const shown = found.slice(0, limit)
  const at = now()
  const hidden = await arePanelsHidden(store, shown, { now: at, reviewer: null })
  const items = await Promise.all(
    shown.map(async (review, place) => {
      const asked = await askedQuestion(store, review)
      return reviewRow(review, { asked, isPanelHidden: hidden[place] ?? true, now: at })
    }),
  )
  return { items, next: found.length > limit ? (shown.at(-1)?.id ?? null) : null }
}

/** Why an item is not available: it does not exist, is closed, or another reviewer has claimed it. */
function unavailable(review: StoredReview | null): Refusal {
  if (review === null) return { kind: 'not-found' }
  const { status, claimedBy, claimedUntil } = review
  if (status !== 'waiting') return { kind: 'already-submitted', status }
  return { kind: 'claimed-by-other', claimedBy: claimedBy ?? '', claimedUntil: claimedUntil ?? 0 }
}

/** Why nobody but perhaps its claimant may claim the item; null: it is available, so a refusal is about the reviewer. */
function refusalByState(review: StoredReview, now: Millis, reviewer: string): Refusal | null {
  if (review.status !== 'waiting') return unavailable(review)
  const { claimedBy, claimedUntil } = review
  const isClaimed = claimedBy !== reviewer && claimedUntil !== null && claimedUntil > now
  return isClaimed ? unavailable(review) : null
}

/** Why an operation that needs the claim was refused. */
function submitRefusal(review: StoredReview | null, now: Millis): Refusal {
  if (review === null || review.status !== 'waiting') return unavailable(review)
  const { claimedBy, claimedUntil } = review
  const isClaimed = claimedUntil !== null && claimedUntil > now
  return isClaimed ? unavailable(review) : { kind: 'not-yours', claimedBy }
}

/** The review is another person's, or it was undone, and perhaps submitted again by another person, in the meantime. */
function undoRefusal(review: StoredReview | null): Refusal {
  if (review === null) return { kind: 'not-found' }
  return review.by === null ? { kind: 'not-submitted' } : { kind: 'not-yours', claimedBy: review.by }
}
