import { OPEN_REASONS } from '@quorate/certificate'
import { z } from 'zod'
import { turnCountsSchema } from './figures.ts'

/** One round of a decision: the bar mean - envelope - slack against its threshold. */
export const stepSchema = z.object({
  round: z.int(),
  answer: z.string(),
  threshold: z.number(),
  /** Null: the round has no bound, for the reason given. */
  lower: z.number().nullable(),
  reason: z.enum(OPEN_REASONS).optional(),
  neighbours: z.int().optional(),
  successes: z.int().optional(),
  mean: z.number().optional(),
  envelope: z.number().optional(),
  slack: z.number().optional(),
  k: z.int().optional(),
  radius: z.number().optional(),
  state: z.array(z.number()).optional(),
  score: z.number().optional(),
  cell: z.string().optional(),
  /** Profile total: the score that this round needs, the kind of the debate, and the counted debates of that kind. */
  cut: z.number().optional(),
  kind: z.int().optional(),
  kindRows: z.int().optional(),
  kindRight: z.int().optional(),
})
export type StepFigures = z.infer<typeof stepSchema>

export const deferReasonSchema = z.enum([
  'bound-low',
  'too-few-labels',
  'agent-failure',
  'time-out',
  'spend-cap',
  'uncalibrated',
  'budget-infeasible',
  'class-refused',
  'group-deferred',
  'held',
])

/** The decision of a debate, or of the rounds so far. */
export const verdictSchema = z.object({
  kind: z.enum(['act', 'defer', 'continue']),
  answer: z.string().nullable(),
  reason: deferReasonSchema.nullable(),
  /** In plain words, where more is known of `uncalibrated` or `agent-failure`: who or what it was. */
  detail: z.string().optional(),
  round: z.int(),
  bound: z.number().nullable(),
  threshold: z.number(),
  path: z.array(stepSchema),
})
export type VerdictFigures = z.infer<typeof verdictSchema>

/** What POST /v1/certify decided, before anything is hidden. */
export const certifyAnswerSchema = verdictSchema.extend({
  decisionId: z.string(),
  id: z.string(),
  /** Of the debates that this token posts for this certificate. */
  runId: z.string(),
  certificate: z.string(),
  /** Drawn for a spot check: please debate on to the last round and post it, whatever was decided. */
  isDrawn: z.boolean(),
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

/** POST /v1/certify: the rounds so far of a debate that somebody else holds. Null of a hidden one: what was decided. */
export const shownCertifyAnswerSchema = certifyAnswerSchema.extend({
  kind: verdictSchema.shape.kind.nullable(),
  round: verdictSchema.shape.round.nullable(),
  isDrawn: z.boolean().nullable(),
  /** A blind item of the queue is about it, or may be, and a person asks: the decision is told when it is reviewed. */
  isHidden: z.boolean(),
})
export type ShownCertifyAnswer = z.infer<typeof shownCertifyAnswerSchema>

/** POST /v1/decisions and GET /v1/decisions/{id}: a question that our own panel debates. */
export const decisionSchema = z.object({
  id: z.string(),
  runId: z.string(),
  questionId: z.string(),
  status: z.enum(['pending', 'running', 'decided', 'failed']),
  createdAt: z.number(),
  /** Rounds held so far; null while hidden. */
  rounds: z.int().nullable(),
  /** Null before it is made, and while hidden. */
  decision: verdictSchema.nullable(),
  certificate: z.string().nullable(),
  /** Of the latest item of the queue about it; null: there is none, or hidden. */
  reviewId: z.string().nullable(),
  /** A blind item of the queue is about it, and who asks is a person: what was decided is told when it is reviewed. */
  isHidden: z.boolean(),
})
export type DecisionView = z.infer<typeof decisionSchema>

/** GET /v1/decisions/{id}/events (server-sent events): one `round` each, then `decided`; of a hidden one only `decided`. */
export const roundEventSchema = z.object({ round: z.int(), verdict: verdictSchema })
export type RoundEvent = z.infer<typeof roundEventSchema>
