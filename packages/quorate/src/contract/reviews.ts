import { z } from 'zod'
import { outcomeSchema, reviewSchema } from '../record/review.ts'
import { debateViewSchema } from './debates.ts'
import { pageQuerySchema } from './page.ts'

export { outcomeSchema, type ReviewOutcome } from '../record/review.ts'

/** A queue item in the hands of a reviewer. A blind one says nothing of what the panel answered or why it is here, until it
 * is submitted and the time to undo is over. */
export const reviewItemSchema = z.object({
  id: z.string(),
  question: z.string().nullable(),
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
  assignee: z.string().nullable(),
  lockedUntil: z.number().nullable(),
  outcome: outcomeSchema.nullable(),
  note: z.string().nullable(),
})
export type ReviewItem = z.infer<typeof reviewItemSchema>

/** One line of the queue as a list; blind ones have no source and no distance. */
export const reviewRowSchema = reviewItemSchema
  .pick({
    id: true,
    group: true,
    createdAt: true,
    isBlind: true,
    source: true,
    reason: true,
    status: true,
    assignee: true,
    lockedUntil: true,
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

/** POST /v1/reviews/next: null when nothing waits. */
export const nextReviewSchema = z.object({ item: reviewItemSchema.nullable(), progress: queueProgressSchema })
export type NextReview = z.infer<typeof nextReviewSchema>

export const submitReviewSchema = z.object({ outcome: outcomeSchema, note: z.string().max(5000).optional() })

/** After a submit: the item, with its evidence unless it is blind, and until when it can be undone unseen. A blind one
 * shows its evidence (GET /v1/reviews/{id}) after that time. */
export const submittedReviewSchema = z.object({
  item: reviewItemSchema,
  undoUntil: z.number(),
  progress: queueProgressSchema,
})
export type SubmittedReview = z.infer<typeof submittedReviewSchema>

/** POST /v1/reviews/{id}/undo: `undone` within the time, else `retracted`, which the ledger shows. */
export const undoneReviewSchema = z.object({ kind: z.enum(['undone', 'retracted']), item: reviewItemSchema })
export type UndoneReview = z.infer<typeof undoneReviewSchema>

/** POST /v1/claims/release (admin): whose items go back into the queue. */
export const releaseClaimsSchema = z.object({ reviewer: z.string().min(1).max(200) })
export const releasedClaimsSchema = z.object({ reviewer: z.string(), released: z.array(z.string()) })
export type ReleasedClaims = z.infer<typeof releasedClaimsSchema>

/** GET /v1/reviews?status=. */
export const reviewQuerySchema = pageQuerySchema.extend({ status: reviewItemSchema.shape.status.optional() })
