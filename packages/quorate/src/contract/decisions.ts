import { z } from 'zod'
import { decisionSchema } from '../record/decision.ts'
import { turnCountsSchema } from './figures.ts'

/** What a verdict shows of the record of a decision. */
export const shownRecordSchema = decisionSchema.pick({
  kind: true,
  answer: true,
  reason: true,
  round: true,
  bound: true,
  path: true,
})

/** The decision of a debate, or of the rounds so far. */
export const verdictSchema = shownRecordSchema.extend({
  kind: z.enum(['act', 'defer', 'continue']),
  /** The reason in words; null unless it defers. */
  reasonText: z.string().nullable(),
  /** In plain words, where more is known of `uncalibrated` or `agent-failure`: who or what it was. */
  detail: z.string().optional(),
  /** Open answers: the answer itself, of which `answer` is the class; absent for options, and once it was erased. */
  answerText: z.string().optional(),
  threshold: z.number(),
})
export type VerdictFigures = z.infer<typeof verdictSchema>

/** What POST /v1/certify decided, before anything is hidden. */
export const certifyAnswerSchema = verdictSchema.extend({
  decisionId: z.string(),
  id: z.string(),
  /** Of the debates that this token posts for this certificate. */
  runId: z.string(),
  certificate: z.string(),
  /** Sampled for a spot check: please debate on to the last round and post it, whatever was decided. */
  isSpotCheck: z.boolean(),
  isShadow: z.boolean(),
  isHidden: z.literal(false),
  /**
   * How it was looked up whether the certificate was made from this very question, of which it promises nothing: `id`
   * where no text was sent, or the certificate has none to compare with. The question counts all the same.
   */
  comparedBy: z.enum(['text', 'id']),
  /** How the turns of all rounds were read. */
  turns: turnCountsSchema,
  claim: z.array(z.string()),
})
export type CertifyAnswer = z.infer<typeof certifyAnswerSchema>

/** The figures of a decision while it is hidden. */
export const HIDDEN_FIGURES = {
  kind: null,
  answer: null,
  reason: null,
  reasonText: null,
  round: null,
  bound: null,
  path: [],
}

/** POST /v1/certify: the decision on the rounds so far of the caller's debate. While it is hidden, its fields are null. */
export const shownCertifyAnswerSchema = certifyAnswerSchema.extend({
  kind: verdictSchema.shape.kind.nullable(),
  round: verdictSchema.shape.round.nullable(),
  isSpotCheck: z.boolean().nullable(),
  /** A blind item of the queue is about it, or may be, and the caller is a person: the decision is shown after the review. */
  isHidden: z.boolean(),
})
export type ShownCertifyAnswer = z.infer<typeof shownCertifyAnswerSchema>

/** POST /v1/decisions/known: those of the ids that a run has decided. The decisions are not shown. */
export const knownIdsSchema = z.object({ ids: z.array(z.string().min(1).max(1000)).max(1000) })

/** POST /v1/decisions and GET /v1/decisions/{id}: a question that our own panel debates. */
export const decisionViewSchema = z.object({
  id: z.string(),
  runId: z.string(),
  questionId: z.string(),
  status: z.enum(['pending', 'running', 'decided', 'failed']),
  createdAt: z.number(),
  /** Rounds debated so far; null while hidden. */
  rounds: z.int().nullable(),
  /** Null before it is made, and while hidden. */
  decision: verdictSchema.nullable(),
  certificate: z.string().nullable(),
  /** Of the latest item of the queue about it; null: there is none, or hidden. */
  reviewId: z.string().nullable(),
  /** A blind item of the queue is about it, and the caller is a person: the decision is shown after the review. */
  isHidden: z.boolean(),
})
export type DecisionView = z.infer<typeof decisionViewSchema>

/** GET /v1/decisions/{id}/events (server-sent events): one `round` each, then `decided`; of a hidden one only `decided`. */
export const roundEventSchema = z.object({ round: z.int(), verdict: verdictSchema })
export type RoundEvent = z.infer<typeof roundEventSchema>
