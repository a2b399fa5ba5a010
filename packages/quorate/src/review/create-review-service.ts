import { canonicalJson } from '@quorate/certificate'
import type { QueueProgress, ReviewItem } from '../contract/reviews.ts'
import { storableText } from '../store/checked-input.ts'
import { isUsedUp } from '../store/review-claims.ts'
import type { Claim, ReviewList } from '../store/reviews.ts'
import type { Millis, StoredReview } from '../store/store.ts'
import { type AskedQuestion, askedQuestion } from './asked-question.ts'
import { labelOf, releaseEntry, reviewEntry, reviewEvent, type Said, undoneEntries } from './review-entries.ts'
import type { Refusal, Reviewer, ReviewOptions, ReviewService } from './review-service.ts'
import { isHidden, readOutcome, reviewItem, reviewRow } from './review-view.ts'

const DAY_MS = 86_400_000
/** However often it is claimed again, an item goes back after so many times the usual lock. */
const MOST_LOCKS = 6

/** Every second hand-out is of the blind list while something waits there. It says nothing: both kinds stand in it. */
function slot(number: number): ReviewList {
  return number % 2 === 0 ? 'blind' : 'open'
}

export function createReviewService(options: ReviewOptions): ReviewService {
  const { store, now, lockMs, maxClaims } = options
  const { reviews } = store
  const claimOf = ({ name: reviewer }: Reviewer) => {
    return { reviewer, now: now(), lockMs, maxClaims, maxTotalMs: MOST_LOCKS * lockMs }
  }

  async function tooMany(by: Claim): Promise<Refusal | null> {
    const held = (await reviews.claimsOf(by)).map(({ id }) => id)
    return held.length < maxClaims ? null : { kind: 'too-many-claims', held, most: maxClaims }
  }

  /** Why nothing was handed out, of an item that nobody else holds. */
  async function refusalOf(review: StoredReview | null, by: Claim & { readonly maxTotalMs: number }): Promise<Refusal> {
    const refusal = takeRefusal(review, by.now, by.reviewer)
    if (refusal.kind !== 'knows-panel' || review === null) return refusal
    const again = (review.claimedAt ?? 0) + by.maxTotalMs + lockMs
    if (isUsedUp(review, by)) return { kind: 'claim-used-up', again }
    return (await tooMany(by)) ?? refusal
  }

  async function progress({ name: reviewer }: Reviewer): Promise<QueueProgress> {
    const at = now()
    const { mine: mineToday, ...counts } = await reviews.counts({ reviewer, since: at - (at % DAY_MS) })
    return { ...counts, mineToday }
  }

  async function putBack(id: string, who: Reviewer, skip: boolean) {
    const { kind, review } = await reviews.release(id, { reviewer: who.name, now: now(), skip })
    if (kind === 'refused') return submitRefusal(review, now())
    return { kind: 'done', value: await itemOf(options, review) } as const
  }

  return {
    progress,
    next: async (who) => {
      if (who.kind === 'machine') return { kind: 'machine' }
      const by = claimOf(who)
      const review = await reviews.claimNext({ ...by, slot })
      const refusal = review === null ? await tooMany(by) : null
      if (refusal !== null) return refusal
      const item = review === null ? null : await itemOf(options, review)
      return { kind: 'done', value: { item, progress: await progress(who) } }
    },
    claim: async (id, who) => {
      if (who.kind === 'machine') return { kind: 'machine' }
      const by = claimOf(who)
      const { kind, review } = await reviews.claim(id, by)
      if (kind === 'refused') return refusalOf(review, by)
      return { kind: 'done', value: await itemOf(options, review) }
    },
    submit: async (id, who, said) => {
      const result = await submit(options, { id, who, said })
      if (result.kind !== 'submitted') return result
      const { item, undoUntil } = result
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
    undo: (id, who) => undo(options, id, who),
    find: async (id) => {
      const review = await reviews.find(id)
      return review === null ? null : await itemOf(options, review)
    },
    list: (page) => list(options, page),
  }
}

async function itemOf(options: ReviewOptions, review: StoredReview): Promise<ReviewItem> {
  const { store, now, evidenceOf, labelOrder = [] } = options
  const asked = inTaskOrder(await askedQuestion(store, review), labelOrder)
  const at = now()
  const evidence = isHidden(review, at) ? null : await evidenceOf(review.runId, review.questionId)
  // One that was taken back may wait again as another item, which is blind.
  return reviewItem(review, { asked, evidence: evidence?.isHidden === true ? null : evidence, now: at })
}

/** Models are shown labels in an order of each question; people always find them at the same place. */
function inTaskOrder(asked: AskedQuestion, labelOrder: readonly string[]): AskedQuestion {
  const place = ({ name }: { readonly name: string }) => labelOrder.indexOf(name)
  if (asked.options.some((option) => place(option) < 0)) return asked
  return { ...asked, options: asked.options.toSorted((left, right) => place(left) - place(right)) }
}

interface Submit {
  readonly id: string
  readonly who: Reviewer
  readonly said: Parameters<ReviewService['submit']>[2]
}

async function submit(options: ReviewOptions, { id, who, said }: Submit) {
  if (who.kind === 'machine') return { kind: 'machine' } as const
  const { store, now, newId, newSalt, undoMs, messagesOf } = options
  const review = await store.reviews.find(id)
  if (review === null) return { kind: 'not-found' } as const
  const { outcome } = said
  const names = (await askedQuestion(store, review)).options.map(({ name }) => name)
  if (outcome.kind === 'option' && !names.includes(outcome.option)) {
    return { kind: 'unknown-option', options: names } as const
  }
  const at = now()
  const undoUntil = at + undoMs
  const note = storableText(said.note ?? '') || null
  const own: Said = { outcome, note, by: who.name, at }
  const result = await store.reviews.submit({
    id,
    reviewer: who.name,
    outcome: canonicalJson(outcome),
    note,
    at,
    undoUntil,
    label: labelOf(review, own, newId()),
    entry: reviewEntry(review, own, newSalt()),
    messages: messagesOf(reviewEvent(review, own, { event: 'review.submitted', at, notBefore: undoUntil })),
  })
  if (result.kind === 'refused') return submitRefusal(result.review, at)
  const item = await itemOf(options, result.review)
  return { kind: 'submitted', item, undoUntil: result.review.undoUntil ?? undoUntil } as const
}

async function undo(options: ReviewOptions, id: string, who: Reviewer): ReturnType<ReviewService['undo']> {
  if (who.kind === 'machine') return { kind: 'machine' }
  const { store, now, newId, lockMs, messagesOf } = options
  const review = await store.reviews.find(id)
  if (review === null) return { kind: 'not-found' }
  const { outcome, note, by, submittedAt } = review
  if (outcome === null || by === null || submittedAt === null) return { kind: 'not-submitted' }
  const at = now()
  const said: Said = { outcome: readOutcome(outcome), note, by, at: submittedAt }
  const replacementId = newId()
  const result = await store.reviews.undo({
    id,
    reviewer: who.role === 'admin' ? null : who.name,
    submittedAt,
    now: at,
    lockMs,
    replacementId,
    by: who.name,
    ...undoneEntries(review, { said, by: who.name, at, replacementId }),
    retraction: messagesOf(reviewEvent(review, said, { event: 'review.retracted', at, notBefore: at })),
  })
  if (result.kind === 'refused') return undoRefusal(result.review)
  return { kind: 'done', value: { kind: result.kind, item: await itemOf(options, result.review) } }
}

async function list(
  { store, now }: ReviewOptions,
  { cursor, limit, status }: Parameters<ReviewService['list']>[0],
): ReturnType<ReviewService['list']> {
  const filter = status === undefined ? {} : { status }
  const found = await store.reviews.list({ after: cursor, limit: limit + 1, ...filter })
  const shown = found.slice(0, limit)
  const items = await Promise.all(
    shown.map(async (review) => reviewRow(review, { asked: await askedQuestion(store, review), now: now() })),
  )
  return { items, next: found.length > limit ? (shown.at(-1)?.id ?? null) : null }
}

/** Why a claim was refused, by what the item is now. */
function claimRefusal(review: StoredReview | null): Refusal {
  if (review === null) return { kind: 'not-found' }
  const { status, assignee, lockedUntil } = review
  if (status !== 'waiting') return { kind: 'already-submitted', status }
  return { kind: 'locked-by-other', assignee: assignee ?? '', lockedUntil: lockedUntil ?? 0 }
}

/** Nobody else holds it, so it is about who asks. */
function takeRefusal(review: StoredReview | null, now: Millis, reviewer: string): Refusal {
  if (review?.status !== 'waiting') return claimRefusal(review)
  const { assignee, lockedUntil } = review
  const isHeld = assignee !== reviewer && lockedUntil !== null && lockedUntil > now
  return isHeld ? claimRefusal(review) : { kind: 'knows-panel' }
}

/** Why something that needs the lock was refused. */
function submitRefusal(review: StoredReview | null, now: Millis): Refusal {
  if (review === null || review.status !== 'waiting') return claimRefusal(review)
  const { assignee, lockedUntil } = review
  const isHeld = lockedUntil !== null && lockedUntil > now
  return isHeld ? claimRefusal(review) : { kind: 'not-yours', assignee }
}

/** It was undone and perhaps submitted again by another meanwhile, or is another's. */
function undoRefusal(review: StoredReview | null): Refusal {
  if (review === null) return { kind: 'not-found' }
  return review.by === null ? { kind: 'not-submitted' } : { kind: 'not-yours', assignee: review.by }
}
