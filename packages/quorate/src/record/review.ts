import { z } from 'zod'
import { deferReasonSchema } from './decision.ts'
import type { Immutable } from './immutable.ts'
import { LIMITS } from './limits.ts'
import { timeSchema } from './names.ts'

/** A person's grade of one answer: right, wrong, or null if the person cannot tell. */
const gradeSchema = z.object({ answer: z.string().min(1).max(LIMITS.name), right: z.boolean().nullable() })

/** A reviewer's outcome. */
export const outcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('option'), option: z.string().min(1).max(LIMITS.name) }),
  z
    .object({
      kind: z.literal('answer'),
      text: z.string().trim().min(1).max(LIMITS.typedAnswer),
      /** Which of the panel's answers are the same. The server sets this and ignores what it is sent. */
      grades: z.array(gradeSchema).max(LIMITS.options).optional(),
    })
    .describe("Open answers: the right answer, typed by a reviewer who must not know the panel's answers"),
  z
    .object({ kind: z.literal('grades'), grades: z.array(gradeSchema).min(1).max(LIMITS.options) })
    .describe('Open answers: whether each answer of the panel is right'),
  z.object({ kind: z.literal('cannot-tell') }),
  z.object({ kind: z.literal('bad-question') }),
])
export type ReviewOutcome = z.infer<typeof outcomeSchema>

/** An item of the review queue: a deferral, a spot check that was sampled at intake, or an action that a person sent there. */
export const reviewSchema = z.object({
  id: z.string(),
  runId: z.string(),
  questionId: z.string(),
  /** `request`: a person sent an action to review. It was chosen, so it is not a random sample. */
  source: z.enum(['deferral', 'spot-check', 'request']),
  reason: deferReasonSchema.nullable(),
  /** The first item about the question. This item may be its second or third review. */
  root: z.string(),
  /** 1; 2 for a second person; 3 for a third person if two disagree. */
  part: z.int().min(1).max(3),
  createdAt: timeSchema,
  status: z.enum(['waiting', 'submitted', 'retracted']),
  /** Who holds the claim, or held it when it expired. Null: nobody since it was created or released. */
  claimedBy: z.string().nullable(),
  /** When the claim expires or expired. */
  claimedUntil: timeSchema.nullable(),
  /** The reviewer to whom an admin assigned it; null: anybody may claim it. */
  assignedTo: z.string().nullable(),
  /** When the assignment ends. From then on anybody may claim the item. */
  dueAt: timeSchema.nullable(),
  /** Distance of the bound to the threshold in the last round that was assessed, from 0 to 1; null: unknown, so sorted last. */
  distance: z.number().min(0).max(1).nullable(),
  /** `blind`: blind items of any source, by age. `open`: deferrals that are shown openly, nearest to the threshold first. */
  list: z.enum(['blind', 'open']),
  /** Whether panel and decision are hidden until it is submitted; null: never claimed yet. */
  isBlind: z.boolean().nullable(),
  /** Who claimed it last, and since when without a break. Both are kept after the claim has ended. */
  lastClaimedBy: z.string().nullable(),
  lastClaimedAt: timeSchema.nullable(),
  outcome: outcomeSchema.nullable(),
  by: z.string().nullable(),
  submittedAt: timeSchema.nullable(),
  undoUntil: timeSchema.nullable(),
  /** Null also after redaction. */
  note: z.string().nullable(),
})
export type ReviewRecord = Immutable<z.infer<typeof reviewSchema>>
