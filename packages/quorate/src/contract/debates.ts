import { z } from 'zod'
import { turnSchema } from '../record/answer.ts'
import { debateStatusSchema } from '../record/debate.ts'
import { decisionSchema, deferReasonSchema } from '../record/decision.ts'
import { labelSchema } from '../record/label.ts'
import { verdictSchema } from './decisions.ts'
import { pageQuerySchema } from './page.ts'

export const debateRowSchema = z.object({
  runId: z.string(),
  questionId: z.string(),
  /** First 200 characters of the question; null if it was redacted or never known. */
  excerpt: z.string().nullable(),
  group: z.string().nullable(),
  at: z.number(),
  /** Null while hidden. */
  rounds: z.int().nullable(),
  /** Null while hidden. */
  status: debateStatusSchema.nullable(),
  kind: decisionSchema.shape.kind.nullable(),
  answer: z.string().nullable(),
  /** The text of an open answer, whose class is `answer`; absent for options, while hidden, and once erased. */
  answerText: z.string().optional(),
  reason: deferReasonSchema.nullable(),
  /** The bound of the round that acted, else the largest of all rounds; null: there is none, or it is hidden. */
  bound: z.number().nullable(),
  /** The round of that bound. */
  boundRound: z.int().nullable(),
  threshold: z.number().nullable(),
  /**
   * The value that decides whether a round acts: the score in the profile total, the bound in others. It is that of the round
   * that acted, else of the round that came nearest; null: there is none, or it is hidden.
   */
  score: z.number().nullable(),
  /** The value of `score` from which that round acts. */
  needs: z.number().nullable(),
  scoreRound: z.int().nullable(),
  /** Null while hidden. */
  isSpotCheck: z.boolean().nullable(),
  /**
   * For each round and agent, whether the agent gave the panel's answer. If the panel has none, the most frequent answer of the
   * last round takes its place. Null while hidden, or if no agent answered.
   */
  votes: z.array(z.array(z.enum(['same', 'other', 'none']))).nullable(),
  /** The right option; null if it is not known. */
  gold: z.string().nullable(),
  /**
   * Open answers: the text of that class, or the right answer that came with the question. Absent if neither is known, and
   * whenever `answerText` is.
   */
  goldText: z.string().optional(),
  /** The grade of the panel's last answer, if the debate was imported with grades; absent while hidden. */
  grade: z.enum(['right', 'wrong', 'cannot-tell']).optional(),
  /**
   * A person has labelled it, or the question came with its answer and the panel's answers were compared with it. A person who
   * could not tell makes an action count as wrong.
   */
  isLabelled: z.boolean(),
  /** It is waiting in the review queue; null while hidden. */
  isWaiting: z.boolean().nullable(),
  /** A blind review item is about it, so its answers and its decision are shown only after the review. */
  isHidden: z.boolean(),
})
export type DebateRow = z.infer<typeof debateRowSchema>

/** The fields of a row that say nothing about the decision, so they are shown while it is hidden. */
type AskedRowField = 'runId' | 'questionId' | 'excerpt' | 'group' | 'at'

/** All other fields while the decision is hidden. A new field does not compile until one of the two has it. */
export const HIDDEN_ROW: Required<Omit<DebateRow, AskedRowField>> = {
  rounds: null,
  status: null,
  kind: null,
  answer: null,
  answerText: undefined,
  reason: null,
  bound: null,
  boundRound: null,
  threshold: null,
  score: null,
  needs: null,
  scoreRound: null,
  isSpotCheck: null,
  votes: null,
  gold: null,
  goldText: undefined,
  grade: undefined,
  isLabelled: false,
  isWaiting: null,
  isHidden: true,
}

export const turnViewSchema = z.object({
  agent: turnSchema.shape.agent,
  answer: turnSchema.shape.answer,
  beliefs: turnSchema.shape.beliefs.unwrap(),
  confidence: z.number().nullable(),
  /** The sampled answers of an agent that was asked several times; null: no answer. */
  samples: turnSchema.shape.samples.unwrap().unwrap().optional(),
  text: z.string().nullable(),
})

/** The calibration data that a debate was compared with: its nearest labelled debates (k-NN), or the counts of its cell. */
export const comparedSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('neighbours'),
    rows: z.array(z.object({ round: z.int(), id: z.string().nullable(), distance: z.number(), correct: z.boolean() })),
  }),
  z.object({
    kind: z.literal('cells'),
    rows: z.array(z.object({ round: z.int(), cell: z.string(), labels: z.int(), successes: z.int() })),
  }),
  z.object({ kind: z.literal('none') }),
])

export const debateViewSchema = debateRowSchema.extend({
  question: z.string().nullable(),
  /** For open answers, the classes of the panel's answers. */
  options: z.array(z.object({ name: z.string(), text: z.string().nullable() })),
  /** For open answers, the text that represents each class; absent for options, and while hidden. */
  openAnswers: z.record(z.string(), z.string()).optional(),
  turns: z.array(z.array(turnViewSchema)),
  verdict: verdictSchema.nullable(),
  /** The label with its provenance; null: there is none, it is hidden, or it came with the question. */
  label: labelSchema.pick({ gold: true, source: true, by: true, at: true, text: true }).nullable(),
  certificate: z.string().nullable(),
  compared: comparedSchema,
  claim: z.array(z.string()),
  ledger: z.object({ sequence: z.int(), hash: z.string() }).nullable(),
})
export type DebateView = z.infer<typeof debateViewSchema>

/** The same for the fields that only the view has. Classes of open answers are the panel's answers, so they are hidden too. */
export const HIDDEN_DEBATE: Required<Omit<DebateView, keyof DebateRow | 'question' | 'options' | 'certificate'>> = {
  openAnswers: undefined,
  turns: [],
  verdict: null,
  label: null,
  compared: { kind: 'none' },
  claim: [],
  ledger: null,
}

/**
 * GET /v1/debates?decided=&kind=&reason=&group=&status=&run=&id=&sampled=&outcome=&from=&to=&q=
 *
 * A hidden debate never matches kind, reason, status, sampled, outcome or score. `q` finds it only by its question and its id.
 */
export const debateQuerySchema = pageQuerySchema.extend({
  /** `true`: debates of runs that decide; `false`: of runs that only debate, for example to calibrate on them. */
  decided: z.enum(['true', 'false']).optional(),
  kind: decisionSchema.shape.kind.optional(),
  reason: deferReasonSchema.optional(),
  group: z.string().max(1000).optional(),
  status: debateStatusSchema.optional(),
  run: z.string().max(100).optional(),
  /** Prefix of the question's id. */
  id: z.string().max(1000).optional(),
  sampled: z.enum(['true', 'false']).optional(),
  /** `wrong` and `right` select debates that were acted on, by their label; `unlabelled` selects any debate without one. */
  outcome: z.enum(['wrong', 'right', 'unlabelled']).optional(),
  /** Words to search for in the question, its id and the agents' replies. */
  q: z.string().max(200).optional(),
  /** `from` and `to` limit `score - needs`. */
  from: z.coerce.number().min(-1).max(1).optional(),
  to: z.coerce.number().min(-1).max(1).optional(),
})
export type DebateQuery = z.infer<typeof debateQuerySchema>

/** GET /v1/debate-summary: counts over the latest debates that match a query. */
export const debateSummarySchema = z.object({
  /** How many debates were counted. */
  debates: z.int(),
  /** More debates match than were counted. */
  isCut: z.boolean(),
  acted: z.int(),
  deferred: z.int(),
  /** Acted on, and wrong by their label. */
  wrong: z.int(),
  /** Decided, but the caller may not see the decision yet. */
  hidden: z.int(),
  /** Debated without a decision. */
  undecided: z.int(),
  /** Rows that an export of these debates has, and those of them that have no answer yet because they wait for a person. */
  answers: z.object({ rows: z.int(), waiting: z.int() }),
  /** If `q` finds nothing: similar words that do, and how many debates they find. */
  suggestion: z.object({ q: z.string(), debates: z.int() }).nullable(),
  /** Histogram of `score - needs`, in bars of equal width. */
  bars: z.array(z.object({ from: z.number(), to: z.number(), acted: z.int(), deferred: z.int(), wrong: z.int() })),
})
export type DebateSummary = z.infer<typeof debateSummarySchema>

export const debateSummaryQuerySchema = debateQuerySchema.omit({ cursor: true, limit: true })
export type DebateSummaryQuery = z.infer<typeof debateSummaryQuerySchema>
