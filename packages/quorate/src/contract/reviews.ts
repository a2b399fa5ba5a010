import { z } from 'zod'
import { LIMITS } from '../record/limits.ts'
import { timeSchema } from '../record/names.ts'
import { outcomeSchema, reviewSchema } from '../record/review.ts'
import { debateViewSchema } from './debates.ts'
import { pageQuerySchema } from './page.ts'

export { outcomeSchema, type ReviewOutcome } from '../record/review.ts'

/**
 * What the reviewer is asked for. `answer`: the right answer in words; `form` describes its format. `grades`: whether each
 * candidate is right; if `form` is not null, an answer in words is accepted instead.
 */
const askSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('option') }),
  z.object({ kind: z.literal('answer'), form: z.string() }),
  z.object({
    kind: z.literal('grades'),
    form: z.string().nullable(),
    /** In an order that reveals nothing. `alsoSaid`: other texts that count as the same answer; empty while blind. */
    candidates: z.array(z.object({ id: z.string(), text: z.string(), alsoSaid: z.array(z.string()) })),
  }),
])

/**
 * A review item as a reviewer sees it. A blind item reveals neither the panel's answer nor why it is in the queue, until it is
 * submitted and the time to undo is over.
 */
export const reviewItemSchema = z.object({
  id: z.string(),
  question: z.string().nullable(),
  asks: askSchema,
  /** The options to choose from; empty for open answers. */
  options: z.array(z.object({ name: z.string(), text: z.string().nullable() })),
  group: z.string().nullable(),
  createdAt: z.number(),
  isBlind: z.boolean(),
  /** Null while blind. */
  source: reviewSchema.shape.source.nullable(),
  reason: reviewSchema.shape.reason,
  /** Null while blind. */
  evidence: debateViewSchema.nullable(),
  status: reviewSchema.shape.status,
  /** The reviewer who has claimed it; null: nobody. */
  claimedBy: z.string().nullable(),
  claimedUntil: z.number().nullable(),
  /** The reviewer whom an admin has assigned it to; null: anybody. */
  assignedTo: z.string().nullable(),
  /** When the review is due, set by an admin; null: at any time. */
  dueAt: z.number().nullable(),
  outcome: outcomeSchema.nullable(),
  note: z.string().nullable(),
})
export type ReviewItem = z.infer<typeof reviewItemSchema>

/** A review item in a list. The source and the reason of a blind one are null. */
export const reviewRowSchema = reviewItemSchema
  .pick({
    id: true,
    group: true,
    createdAt: true,
    isBlind: true,
    source: true,
    reason: true,
    status: true,
    claimedBy: true,
    claimedUntil: true,
    assignedTo: true,
    dueAt: true,
  })
  .extend({ excerpt: z.string().nullable() })
export type ReviewRow = z.infer<typeof reviewRowSchema>

export const queueProgressSchema = z.object({
  waiting: z.int(),
  /** Submitted by this reviewer since midnight UTC. */
  mineToday: z.int(),
  submitted: z.int(),
  oldestAt: z.number().nullable(),
})
export type QueueProgress = z.infer<typeof queueProgressSchema>

/** POST /v1/reviews/next: `item` is null if nothing waits. */
export const nextReviewSchema = z.object({ item: reviewItemSchema.nullable(), progress: queueProgressSchema })
export type NextReview = z.infer<typeof nextReviewSchema>

export const submitReviewSchema = z.object({ outcome: outcomeSchema, note: z.string().max(5000).optional() })

/**
 * POST /v1/reviews/{id}/submit: the item, with its evidence unless it is blind. Until `undoUntil` it is not sent to webhooks
 * and can be undone. A blind item shows its evidence (GET /v1/reviews/{id}) after that time.
 */
export const submittedReviewSchema = z.object({
  item: reviewItemSchema,
  undoUntil: z.number(),
  progress: queueProgressSchema,
})
export type SubmittedReview = z.infer<typeof submittedReviewSchema>

/** POST /v1/reviews/{id}/undo: `undone` if no webhook got the review yet, else `retracted`, which webhooks get too. */
export const undoneReviewSchema = z.object({ kind: z.enum(['undone', 'retracted']), item: reviewItemSchema })
export type UndoneReview = z.infer<typeof undoneReviewSchema>

/** POST /v1/claims/release (admin): the reviewer whose items return to the queue. */
export const releaseClaimsSchema = z.object({ reviewer: z.string().min(1).max(200) })
export const releasedClaimsSchema = z.object({ reviewer: z.string(), released: z.array(z.string()) })
export type ReleasedClaims = z.infer<typeof releasedClaimsSchema>

/** GET /v1/reviews?status=&assignedTo=. `-` means nobody. With `assignedTo` alone it lists waiting items. */
export const reviewQuerySchema = pageQuerySchema.extend({
  status: reviewItemSchema.shape.status.optional(),
  assignedTo: z.string().min(1).max(LIMITS.name).optional(),
})

const MOST_AT_ONCE = 1000
/** The latest time of a Date. A later one could not be shown. */
const LATEST = 8_640_000_000_000_000
const reviewIdsSchema = z.array(z.string().min(1).max(200)).min(1).max(MOST_AT_ONCE)
const placesSchema = z
  .array(z.object({ runId: z.string().min(1).max(200), questionId: z.string().min(1).max(LIMITS.name) }))
  .min(1)
  .max(MOST_AT_ONCE)

/** POST /v1/reviews/assign (admin): items by their ids, or the waiting items of these debates. */
export const assignReviewsSchema = z
  .object({
    ids: reviewIdsSchema.optional(),
    debates: placesSchema.optional(),
    /** Null: anybody. Absent: unchanged. */
    assignedTo: z.string().min(1).max(LIMITS.name).nullable().optional(),
    /** Milliseconds since 1970. Null: at any time. Absent: unchanged. */
    dueAt: timeSchema.min(0).max(LATEST).nullable().optional(),
  })
  .refine(({ ids, debates }) => (ids === undefined) !== (debates === undefined), {
    path: ['ids'],
    error: 'either `ids` or `debates`',
  })
  .refine(({ assignedTo, dueAt }) => assignedTo !== undefined || dueAt !== undefined, {
    path: ['assignedTo'],
    error: '`assignedTo`, `dueAt`, or both',
  })
export type AssignReviews = z.infer<typeof assignReviewsSchema>

/** POST /v1/reviews/release (admin): the items whose claims to release. */
export const releaseReviewsSchema = z.object({ ids: reviewIdsSchema })

/** The result of a bulk change. `closed`: submitted or retracted. `missing`: no such item, or no waiting item of the debate. */
export const changedReviewsSchema = z.object({
  changed: z.int(),
  unchanged: z.int(),
  closed: z.int(),
  missing: z.int(),
})
export type ChangedReviews = z.infer<typeof changedReviewsSchema>

/** POST /v1/reviews/request: debates whose decision a person should review. */
export const requestReviewsSchema = z.object({ debates: placesSchema })

/** `known`: they already wait for review, or were reviewed. `undecided`: they have no decision. */
export const requestedReviewsSchema = z.object({ added: z.int(), known: z.int(), undecided: z.int() })
export type RequestedReviews = z.infer<typeof requestedReviewsSchema>
