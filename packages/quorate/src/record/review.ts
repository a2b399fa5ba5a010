import { z } from 'zod'
import { deferReasonSchema } from './decision.ts'
import type { Immutable } from './immutable.ts'
import { LIMITS } from './limits.ts'
import { timeSchema } from './names.ts'

/** What a reviewer said. */
export const outcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('option'), option: z.string().min(1).max(LIMITS.name) }),
  z.object({ kind: z.literal('cannot-tell') }),
  z.object({ kind: z.literal('bad-question') }),
])
export type ReviewOutcome = z.infer<typeof outcomeSchema>

/** An item of the review queue: a deferral, or a spot check that was chosen at intake. */
export const reviewSchema = z.object({
  id: z.string(),
  runId: z.string(),
  questionId: z.string(),
  source: z.enum(['deferral', 'spot-check']),
  reason: deferReasonSchema.nullable(),
  createdAt: timeSchema,
  status: z.enum(['waiting', 'submitted', 'retracted']),
  /** Who has it, or had it last until its lock ran out. */
  assignee: z.string().nullable(),
  lockedUntil: timeSchema.nullable(),
  /** Distance of the bound to the threshold in the last round that was assessed, from 0 to 1; null: not known, so last. */
  distance: z.number().min(0).max(1).nullable(),
  /** Blind items, by age, whatever they are; and deferrals that are shown openly, nearest to the threshold first. */
  list: z.enum(['blind', 'open']),
  /** Whether panel and decision are hidden until it is submitted; null: not handed out yet. */
  isBlind: z.boolean().nullable(),
  /** Who claimed it last, and since when without a break, also once it was put back. */
  claimedBy: z.string().nullable(),
  claimedAt: timeSchema.nullable(),
  outcome: outcomeSchema.nullable(),
  by: z.string().nullable(),
  submittedAt: timeSchema.nullable(),
  undoUntil: timeSchema.nullable(),
  /** Null once redacted, too. */
  note: z.string().nullable(),
})
export type ReviewRecord = Immutable<z.infer<typeof reviewSchema>>
