import { z } from 'zod'
import { deferReasonSchema } from './decision.ts'
import type { Immutable } from './immutable.ts'
import { LIMITS } from './limits.ts'
import { timeSchema } from './names.ts'

/** What a person says of one answer: right, wrong, or null where the person cannot tell. */
const gradeSchema = z.object({ answer: z.string().min(1).max(LIMITS.name), right: z.boolean().nullable() })

/** A reviewer's outcome. */
export const outcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('option'), option: z.string().min(1).max(LIMITS.name) }),
  z
    .object({
      kind: z.literal('answer'),
      text: z.string().trim().min(1).max(LIMITS.typedAnswer),
      /** Which of the panel's answers are the same: the server says so, whatever it is sent. */
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

/** An item of the review queue: a deferral, a spot check that was chosen at intake, or an action that a person sent there. */
export const reviewSchema = z.object({
  id: z.string(),
  runId: z.string(),
  questionId: z.string(),
  /** `request`: a person sent an action to review. It was chosen, so it is no random sample. */
  source: z.enum(['deferral', 'spot-check', 'request']),
  reason: deferReasonSchema.nullable(),
  /** The first item about the question, whose second and third readings this may be. */
  root: z.string(),
  /** 1, or 2 for a second person, or 3 for a third where two disagree. */
  part: z.int().min(1).max(3),
  createdAt: timeSchema,
  status: z.enum(['waiting', 'submitted', 'retracted']),
  /** Who claimed it, or had it last until its lock ran out. */
  assignee: z.string().nullable(),
  lockedUntil: timeSchema.nullable(),
  /** Who is to review it, as an admin said; null: anybody. */
  assignedTo: z.string().nullable(),
  /** Until when. An assigned item goes to anybody from then on. */
  dueAt: timeSchema.nullable(),
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
